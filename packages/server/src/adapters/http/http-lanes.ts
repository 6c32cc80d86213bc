// The HTTP side of a server: two lanes over one route table, shared by all ports that serve it.

import type { Socket } from 'node:net';
import type { ParameterLimits } from '@rollcall/protocol';
import type { Clock, Logger, Timers } from '@rollcall/runtime';
import { AnswerEncoder } from './answer-head.js';
import { ConnectionSet } from './connection-set.js';
import { CorsPolicy } from './cors-policy.js';
import { FastLane } from './fast-lane.js';
import { HttpCounters } from './http-counters.js';
import type { HttpSettings } from './http-settings.js';
import type { AfterJournal } from './journal-gate.js';
import { NodeLane } from './node-lane.js';
import { RequestAnswering, type RequestGuard } from './request-answering.js';
import type { RouteTable } from './route-table.js';

/** What the lanes are built from. */
export interface HttpLanesOptions {
  readonly routes: RouteTable;
  readonly settings: HttpSettings;
  /** Bounds for reading parameters. */
  readonly limits: ParameterLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly afterJournal: AfterJournal;
  /** Instances and subscribers that are known; the fast lane keeps the request lines of so many. Default none. */
  readonly clients?: () => number;
  /** Looks at every request first; none lets all pass. */
  readonly guard?: RequestGuard;
  /** `node`: everything goes to Node's parser, for comparison. Default `both`. */
  readonly lanes?: 'both' | 'node';
}

/** Answers HTTP/1.1 on accepted sockets. */
export class HttpLanes {
  /** What happened so far. */
  readonly counters = new HttpCounters();
  /** Open connections, those of ports that did not yet tell their protocol included. */
  readonly connections: ConnectionSet;
  /** Times and bounds, for the ports. */
  readonly settings: HttpSettings;
  /** Where ports report what they notice. */
  readonly logger: Logger;
  readonly #fast: FastLane;
  readonly #node: NodeLane;
  readonly #nodeOnly: boolean;

  constructor(options: HttpLanesOptions) {
    const { settings, clock, logger, afterJournal, routes, limits, guard } = options;
    const { counters } = this;
    const cors = new CorsPolicy(settings.allowedOrigins);
    const connections = new ConnectionSet(clock, options.timers);
    const encoder = new AnswerEncoder({
      time: connections,
      idleMs: settings.idleMs,
      commonHeaders: cors.commonHeaders,
    });
    const answering = new RequestAnswering({ routes, limits, cors, clock, logger, counters, guard });
    const shared = { answering, encoder, connections, counters, settings, afterJournal };
    this.connections = connections;
    this.settings = settings;
    this.logger = logger;
    this.#node = new NodeLane({ ...shared, cors });
    this.#fast = new FastLane({
      ...shared,
      clients: options.clients ?? (() => 0),
      handOver: (socket) => this.#node.take(socket),
    });
    this.#nodeOnly = options.lanes === 'node';
  }

  /** Serves a connection that speaks HTTP/1.1. @param bytes - what was received of it, at least one byte */
  take(socket: Socket, bytes: Buffer): void {
    if (!this.#nodeOnly) {
      this.#fast.take(socket, bytes);
      return;
    }
    this.counters.countHandOver('forced');
    socket.pause();
    socket.unshift(bytes);
    this.#node.take(socket);
  }

  /** Bytes received and sent on all connections, open ones included. */
  get traffic(): { readonly readBytes: number; readonly writtenBytes: number } {
    let { closedBytesRead: readBytes, closedBytesWritten: writtenBytes } = this.counters;
    for (const socket of this.connections.sockets()) {
      readBytes += socket.bytesRead;
      writtenBytes += socket.bytesWritten;
    }
    return { readBytes, writtenBytes };
  }
}
