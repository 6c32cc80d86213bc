// What somebody speaks who connects to the port for other nodes by mistake, by the first bytes that come: a client, a probe or
// a load balancer that was given the wrong port, or a node with TLS where there is none. One glance at the log should do.

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT) /;
const LINE_CHARACTERS = 60;
const HEX_BYTES = 12;

/**
 * What a node with TLS and one without answer each other: the fatal alert `protocol_version` (RFC 8446, 6.2). So each learns
 * that a node is there, and why they do not meet.
 */
export const VERSION_ALERT = Buffer.from('15030300020246', 'hex');

/** What was found. */
export interface ForeignProtocol {
  readonly reason: 'other-protocol' | 'tls-mismatch';
  /** One word, the same for all connections of its kind. */
  readonly kind: 'http' | 'http2' | 'http-answer' | 'tls' | 'tls-alert' | 'bytes';
  /** In words for a log line. */
  readonly found: string;
}

/** What the first bytes of a connection are. @param head - at least four bytes, as they came */
export function foreignProtocol(head: Buffer): ForeignProtocol {
  const text = head.toString('latin1');
  if (METHOD.test(text)) return other('http', `an HTTP request ${lineOf(text)}; clients use the main port of the node`);
  if (text.startsWith('PRI * HTTP/2'))
    return other('http2', 'an HTTP/2 connection; clients use the ports for gRPC of the node');
  if (text.startsWith('HTTP/'))
    return other('http-answer', `an HTTP answer ${lineOf(text)}; the port that was dialled is no port for nodes`);
  if (head[0] === TLS_HANDSHAKE && head[1] === TLS_MAJOR)
    return mismatch('tls', 'a TLS hello; this node talks to others without TLS, see --cluster-tls-cert');
  if (head[0] === TLS_ALERT && head[1] === TLS_MAJOR)
    return mismatch('tls-alert', 'a TLS alert; the other node wants TLS, see --cluster-tls-cert');
  return other('bytes', `bytes ${head.subarray(0, HEX_BYTES).toString('hex')}`);
}

function other(kind: ForeignProtocol['kind'], found: string): ForeignProtocol {
  return { reason: 'other-protocol', kind, found };
}

function mismatch(kind: ForeignProtocol['kind'], found: string): ForeignProtocol {
  return { reason: 'tls-mismatch', kind, found };
}

const TLS_ALERT = 0x15;
const TLS_HANDSHAKE = 0x16;
const TLS_MAJOR = 0x03;

/** The first line in quotes, without what does not belong into a log. */
function lineOf(text: string): string {
  const [line = ''] = text.slice(0, LINE_CHARACTERS).split(/[\r\n]/, 1);
  return `"${line.replace(/[^\x20-\x7e]/g, '?')}"`;
}
