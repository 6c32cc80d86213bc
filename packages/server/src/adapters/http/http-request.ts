// A request as both HTTP lanes give it to a handler: already framed, with its parameters read lazily.

import type { Parameters } from '@rollcall/protocol';
import type { PeerConnection } from './peer-connection.js';

/** What a handler worked out from a request, kept for the next one that repeats it byte for byte. */
export interface TargetMemo {
  /** Undefined until a handler of the route sets it. Keep it small: it is not counted in the bytes of the cache. */
  value: unknown;
}

/** One request. Valid until its answer is given; handlers must not keep it. */
export interface HttpRequest {
  /** Upper-case method as sent. A handler of a GET route also sees HEAD. */
  readonly method: string;
  /** Request target as sent, with query; one character per byte. */
  readonly target: string;
  /** Path without context path, doubled and trailing slashes, percent-decoded: `/v1/ns/instance`. */
  readonly path: string;
  /** Query and form body merged, decoded once; the query wins, and of equal names the first. Decoded on first use. */
  readonly parameters: Parameters;
  /** Body bytes as sent; empty without body. */
  readonly body: Uint8Array;
  /** Address of the peer on the connection, IPv4-mapped IPv6 written as IPv4. */
  readonly remoteAddress: string;
  /** The connection, where the lane tells what becomes of it. */
  readonly connection?: PeerConnection;
  /**
   * Where the handler may keep what follows from method, target, body and its content type alone (a parsed beat, the variant
   * of a list), so that a request that repeats those byte for byte is not parsed again. Undefined when the route is not
   * marked as `repeated`, or when the request is not kept. May be dropped at any time.
   */
  readonly memo: TargetMemo | undefined;
  /**
   * Value of a header, undefined when absent, one character per byte. Several lines of one name are joined with `, `.
   *
   * @param name - lower case
   */
  header(name: string): string | undefined;
}
