// What is wrong with the other side of a TLS connection between nodes. Certificates are not compared with addresses: whoever
// has one of the cluster's authority is a node. Both sides finish the handshake with anybody and then judge, instead of letting
// TLS break it off: only so each can say in its log, and to the other, who came and what was found.

import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { PeerFault } from './peer-fault.js';

/**
 * Why the other side of a finished handshake is no node of the cluster; undefined for a node, and without TLS.
 *
 * A session that is resumed counts for nothing: TLS takes it for authorized although it began without a certificate.
 */
export function distrustOf(socket: Socket): PeerFault | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const { subject } = socket.getPeerCertificate();
  if (socket.authorized && subject !== undefined && !socket.isSessionReused()) return undefined;
  const found = socket.isSessionReused()
    ? 'an earlier session that is resumed'
    : subject === undefined
      ? 'no certificate'
      : `a certificate of ${JSON.stringify(String(subject.CN).slice(0, 80))} (${String(socket.authorizationError)})`;
  return new PeerFault('wrong-secret', `found ${found}, allowed is a certificate of the authority in --cluster-tls-ca`);
}

/** What a node that was dialled with TLS answered when it has none, see `VERSION_ALERT`; undefined for every other error. */
export function dialFault(error: NodeJS.ErrnoException): PeerFault | undefined {
  if (error.code !== 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION') return undefined;
  return new PeerFault('tls-mismatch', 'the other node has no TLS, see --cluster-tls-cert');
}

/** What broke a handshake off that came in; undefined when the other side just hung up, as probes of ports do. */
export function tlsFault(error: Error): PeerFault | undefined {
  const { code, reason, message } = error as NodeJS.ErrnoException & { readonly reason?: string };
  switch (code) {
    case 'ECONNRESET':
      return undefined;
    case 'ERR_TLS_HANDSHAKE_TIMEOUT':
      return new PeerFault('handshake-slow');
    case 'ERR_SSL_HTTP_REQUEST':
      return new PeerFault(
        'other-protocol',
        'an HTTP request without TLS; clients use the main port of the node',
        'http',
      );
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return new PeerFault('tls-mismatch', 'no TLS');
    default:
      return new PeerFault('other-protocol', `a TLS handshake with ${reason ?? message}; allowed is TLS 1.3`, code);
  }
}
