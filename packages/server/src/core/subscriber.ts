// Who is told of changes, and what is known of the telling.

import type { ServiceKey } from '@rollcall/protocol';
import type { Instant } from '@rollcall/runtime/time';
import type { Deadline } from './deadline-queue.js';
import type { ServiceView } from './service-view.js';

/** What a 1.x list query says of its sender. */
export interface UdpSubscriberQuery {
  /** Literal address to which pushes go. */
  readonly ip: string;
  /** 1 to 65535. */
  readonly port: number;
  /** Comma separated, as sent; empty for all. */
  readonly clusters: string;
  /** User agent as sent. */
  readonly agent: string;
  /** `unknown` when the client gave none. */
  readonly app: string;
}

/** One subscriber of one service. Adapters read it; only the core writes. */
export interface Subscriber extends Deadline {
  readonly purpose: 'subscriber';
  readonly service: ServiceKey;
  /** `udp`: datagrams to ip:port. `stream`: a connection. */
  readonly transport: 'udp' | 'stream';
  /** Key inside the service. */
  readonly key: string;
  /** Connection id; empty for UDP. */
  readonly connection: string;
  readonly ip: string;
  /** 0 for streams. */
  readonly port: number;
  readonly clusters: string;
  readonly agent: string;
  readonly app: string;
  /** Push that is not yet acknowledged. */
  outstanding: OutstandingPush | undefined;
  /** Whether a newer view waits for the outstanding push. */
  waiting: boolean;
  /** When it is forgotten unless it asks again; undefined for streams. */
  expiresAt: Instant | undefined;
  /** List versions (epoch ms; 0 for never): last pushed, last acknowledged, last given as answer to its query. */
  lastPushedRefTime: number;
  lastAcknowledgedRefTime: number;
  lastQueriedRefTime: number;
  /** Wall clock of the last push and acknowledgement (epoch ms; 0 for never). */
  lastPushedAt: number;
  lastAcknowledgedAt: number;
  /** Wall clock of the last query or subscription. */
  lastQueriedAt: number;
  /** Counters since it subscribed. */
  pushed: number;
  resent: number;
  givenUp: number;
  failed: number;
}

/** Whether the subscriber has been told a list at least as new as `refTime`, by push or by answer. */
export function knows(subscriber: Subscriber, refTime: number): boolean {
  return subscriber.lastAcknowledgedRefTime >= refTime || subscriber.lastQueriedRefTime >= refTime;
}

/** A push on its way. */
export interface OutstandingPush {
  readonly number: number;
  readonly view: ServiceView;
  /** Sends so far. */
  readonly attempts: number;
  /** Time of the last send. */
  readonly sentAt: Instant;
  readonly dueAt: Instant;
}
