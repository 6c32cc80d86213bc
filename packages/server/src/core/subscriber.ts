// Who is told of changes, and what is known of the telling.

import type { ServiceKey } from '@rollcall/protocol';
import type { Deadline } from '@rollcall/runtime/deadline-queue';
import type { Instant } from '@rollcall/runtime/time';
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

/** What a subscriber is made from. */
export interface SubscriberIdentity {
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
}

/** One subscriber of one service. Adapters read it; only the core writes. A class, so that all have one compact shape. */
export class Subscriber implements Deadline, SubscriberIdentity {
  dueAt = 0 as Instant;
  heapIndex = -1;
  readonly service: ServiceKey;
  readonly transport: 'udp' | 'stream';
  readonly key: string;
  readonly connection: string;
  readonly ip: string;
  readonly port: number;
  readonly clusters: string;
  readonly agent: string;
  readonly app: string;
  /** Push that is not yet acknowledged. */
  outstanding: OutstandingPush | undefined = undefined;
  /** Whether a newer view waits for the outstanding push. */
  waiting = false;
  /** When it is forgotten unless it asks again; undefined for streams. */
  expiresAt: Instant | undefined = undefined;
  /** List versions (epoch ms; 0 for never): last pushed, last acknowledged, last given as answer to its query. */
  lastPushedRefTime = 0;
  lastAcknowledgedRefTime = 0;
  lastQueriedRefTime = 0;
  /** Wall clock of the last push and acknowledgement (epoch ms; 0 for never). */
  lastPushedAt = 0;
  lastAcknowledgedAt = 0;
  /** Wall clock of the last query or subscription. */
  lastQueriedAt: number;
  /** Counters since it subscribed. */
  pushed = 0;
  resent = 0;
  givenUp = 0;
  failed = 0;

  constructor(identity: SubscriberIdentity, wall: number) {
    this.service = identity.service;
    this.transport = identity.transport;
    this.key = identity.key;
    this.connection = identity.connection;
    this.ip = identity.ip;
    this.port = identity.port;
    this.clusters = identity.clusters;
    this.agent = identity.agent;
    this.app = identity.app;
    this.lastQueriedAt = wall;
  }

  get purpose(): 'subscriber' {
    return 'subscriber';
  }
}

/** Printable name, the same in events, answers and logs: `ip:port`, or the id of the connection. */
export function subscriberName({ transport, connection, ip, port }: Subscriber): string {
  return transport === 'udp' ? `${ip}:${port}` : connection;
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
