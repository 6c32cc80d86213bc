// The sockets between nodes, plain or over TLS where both sides must show a certificate of the cluster's own authority.
// Who has none is told apart after the handshake, see tls-trust.ts.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connect as tlsConnect, createServer as tlsCreateServer } from 'node:tls';
import type { PeerDial } from './dialled-peer.js';
import { nodeAddress } from './node-address.js';

/** PEM texts for mutual TLS. */
export interface PeerCertificates {
  readonly cert: string;
  readonly key: string;
  /** Authority that signed the certificates of all nodes. */
  readonly ca: string;
}

/** A port that other nodes dial. */
export class PeerPort {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /**
   * @param onSocket - takes each connection, over TLS after its handshake, whoever it comes from
   * @param onTlsFailure - a handshake that failed, by the address of the other side; empty when it was gone already
   */
  constructor(
    certificates: PeerCertificates | undefined,
    onSocket: (socket: Socket) => void,
    onTlsFailure: (address: string, error: Error) => void,
  ) {
    if (certificates === undefined) this.#server = createServer(onSocket);
    else {
      const options = { ...certificates, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.3' as const };
      const server = tlsCreateServer({ ...options, handshakeTimeout: 5000 }, onSocket);
      server.on('tlsClientError', (error, socket) => onTlsFailure(socket.remoteAddress ?? '', error));
      this.#server = server;
    }
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      // Of TLS: the failed handshake is reported above.
      socket.on('error', () => undefined);
    });
  }

  /** Starts to listen. @returns the port that was taken. Rejects with the error of the system */
  listen(host: string, port: number): Promise<number> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        server.on('error', () => undefined);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** Stops listening; what is open must be closed by its owner, the rest is cut. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroySoon();
    });
  }
}

/** Dials nodes. @param portOffset - distance from a node's main port to the one for other nodes */
export function peerDial(certificates: PeerCertificates | undefined, portOffset: number): PeerDial {
  return (node) => {
    const { host, port } = nodeAddress(node);
    const target = { host, port: port + portOffset };
    if (certificates === undefined) return { socket: connect(target), ready: 'connect' };
    const options = {
      ...target,
      ...certificates,
      minVersion: 'TLSv1.3' as const,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    };
    return { socket: tlsConnect(options), ready: 'secureConnect' };
  };
}
