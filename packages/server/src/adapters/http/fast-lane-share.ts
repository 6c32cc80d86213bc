// What the connections of the fast lane share: the parts they work with, and what is kept of requests that come again.

import type { Socket } from 'node:net';
import type { AnswerEncoder } from './answer-head.js';
import type { ConnectionSet } from './connection-set.js';
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
  /** Instances and subscribers that are known: so many clients repeat their request lines. */
  readonly clients: () => number;
  /** Takes a connection over; what was not answered is at the front of what the socket has to read. */
  readonly handOver: (socket: Socket) => void;
}

/** Shared by all connections of the lane. */
export class FastLaneShare {
  readonly options: FastLaneOptions;
  /** The one head that requests are parsed into, since parsing is synchronous. */
  readonly head = new RequestHead();
  /** Targets of routes that are marked as repeated. */
  readonly targets: TargetCache;
  #recentHeaders: HeaderBlock | undefined;

  constructor(options: FastLaneOptions) {
    this.options = options;
    const { settings, answering, clients } = options;
    this.targets = new TargetCache(
      { targets: settings.keptTargets, bytes: settings.keptTargetBytes, clients },
      (method, target) => answering.resolve(method, target),
    );
  }

  /** The block that was just read, to be kept by a connection. Connections of one kind of client share one. */
  keptHeaders(bytes: Buffer): HeaderBlock | undefined {
    const recent = this.#recentHeaders;
    if (recent?.standsAt(bytes, this.head.headersStart) === true || recent?.learn(bytes, this.head) === true)
      return recent;
    this.#recentHeaders = HeaderBlock.copied(bytes, this.head);
    return this.#recentHeaders;
  }
}
