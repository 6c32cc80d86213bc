// The lane for the requests that clients send all day: a strict subset of HTTP/1.1 answered on the raw socket, everything else
// handed to the Node lane with its bytes (docs/adr/0002-two-http-lanes.md).

import type { Socket } from 'node:net';
import { FastConnection } from './fast-connection.js';
import { type FastLaneOptions, FastLaneShare } from './fast-lane-share.js';

/** Takes connections into the lane. */
export class FastLane {
  readonly #share: FastLaneShare;

  constructor(options: FastLaneOptions) {
    this.#share = new FastLaneShare(options);
  }

  /** Serves a connection. @param bytes - what was received of it already */
  take(socket: Socket, bytes: Buffer): void {
    const connection = new FastConnection(this.#share, socket);
    this.#share.options.connections.set(socket, connection);
    connection.receive(bytes);
  }
}
