// The lane for the requests that clients send all day: a strict subset of HTTP/1.1 answered on the raw socket, everything else
// handed to the Node lane with its bytes (docs/adr/0002-two-http-lanes.md). This is what its connections share.

import type { Socket } from 'node:net';
import type { AnswerEncoder } from './answer-head.js';
import type { ConnectionSet } from './connection-set.js';
import { FastConnection } from './fast-connection.js';
import { HeaderBlock } from './header-block.js';
import type { HttpCounters } from './http-counters.js';
import type { HttpSettings } from './http-settings.js';
import type { AfterJournal } from './journal-gate.js';
import type { RequestAnswering } from './request-answering.js';
import { RequestHead } from './request-head.js';
import { TargetCache } from './target-cache.js';

/** What the fast lane works with. */
export interface FastLaneOptions {
  readonly answering: RequestAnswering;
  readonly encoder: AnswerEncoder;
  readonly connections: ConnectionSet;
  readonly counters: HttpCounters;
  readonly settings: HttpSettings;
  readonly afterJournal: AfterJournal;
  /** Takes a connection over; what was not answered is at the front of what the socket has to read. */
  readonly handOver: (socket: Socket) => void;
}

/** Shared by all connections of the lane. */
export class FastLane {
  readonly options: FastLaneOptions;
  /** The one head that requests are parsed into, since parsing is synchronous. */
  readonly head = new RequestHead();
  /** Targets of routes that are marked as repeated. */
  readonly targets: TargetCache;
  #recentHeaders: HeaderBlock | undefined;

  constructor(options: FastLaneOptions) {
    this.options = options;
    const { keptTargets, keptTargetBytes } = options.settings;
    this.targets = new TargetCache({ targets: keptTargets, bytes: keptTargetBytes });
  }

  /** The block that was just read, to be kept by a connection. Connections of one kind of client share one. */
  keptHeaders(bytes: Buffer): HeaderBlock | undefined {
    const recent = this.#recentHeaders;
    if (recent?.standsAt(bytes, this.head.headersStart) === true || recent?.learn(bytes, this.head) === true)
      return recent;
    this.#recentHeaders = HeaderBlock.copied(bytes, this.head);
    return this.#recentHeaders;
  }

  /** Serves a connection. @param bytes - what was received of it already */
  take(socket: Socket, bytes: Buffer): void {
    const connection = new FastConnection(this, socket);
    this.options.connections.set(socket, connection);
    connection.receive(bytes);
  }
}
