// Which protocol a new connection speaks, from its first bytes: one port serves HTTP/1.1 and HTTP/2 with prior knowledge.
// Source: RFC 9113 section 3.4 (connection preface), RFC 8446 section 5.1 (record header).

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
const TLS_HANDSHAKE = 0x16;

/** `unsure`: the bytes so far begin the HTTP/2 preface, and more are needed. */
export type FirstBytes = 'http1' | 'http2' | 'tls' | 'unsure';

/** Tells the protocol. What is none of the others is `http1`, whose lanes refuse what is no request. @param bytes - at least one */
export function protocolOf(bytes: Uint8Array): FirstBytes {
  if (bytes[0] === TLS_HANDSHAKE) return 'tls';
  const length = Math.min(bytes.length, PREFACE.length);
  for (let i = 0; i < length; i++) {
    if (bytes[i] !== PREFACE[i]) return 'http1';
  }
  return length === PREFACE.length ? 'http2' : 'unsure';
}
