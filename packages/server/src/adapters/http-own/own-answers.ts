// Shapes of the JSON answers of our own routes, shared with the command line. Times are epoch ms, durations ms.

import type { InstanceKind } from '@rollcall/protocol';

/** GET `/rollcall/v1/status`. */
export interface StatusAnswer {
  readonly product: 'rollcall';
  readonly version: string;
  readonly mode: 'standalone' | 'cluster';
  /** `UP`, `STARTING` while one of several has no full copy yet, or what an operator forces. */
  readonly status: string;
  readonly startedAt: number;
  readonly uptimeMs: number;
  readonly urls: readonly string[];
  readonly contextPath: string;
  readonly dataDirectory: string;
  readonly counts: Readonly<
    Record<
      | 'namespaces'
      | 'services'
      | 'instances'
      | 'ephemeralInstances'
      | 'persistentInstances'
      | 'subscribers'
      | 'connections'
      | 'outstandingPushes',
      number
    >
  >;
}

/** `/rollcall/v1/drain`. */
export interface DrainAnswer {
  readonly draining: boolean;
  /** Null while there is no drain. */
  readonly startedAt: number | null;
  /** gRPC clients that were asked to move. */
  readonly asked: number;
  /** gRPC clients that are connected. */
  readonly left: number;
  /** The same by what they say they are, most frequent first. */
  readonly clients: readonly { readonly version: string; readonly count: number }[];
}

/** One service in a listing. */
export interface ServiceLine {
  readonly namespaceId: string;
  readonly groupName: string;
  readonly serviceName: string;
  readonly clusters: number;
  readonly instances: number;
  readonly healthyInstances: number;
  readonly subscribers: number;
  /** Whether somebody created it; others vanish when they have been empty for a while. */
  readonly created: boolean;
  readonly protectThreshold: number;
  /** Whether so few instances are healthy that lists show all of them as healthy. */
  readonly protecting: boolean;
}

/** GET `/rollcall/v1/services`. */
export interface ServicesAnswer {
  /** Of all pages. */
  readonly count: number;
  readonly services: readonly ServiceLine[];
}

/** What a publisher or an operator says of an instance. */
export interface ContentAnswer {
  readonly enabled: boolean;
  readonly weight: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly app: string | null;
}

/** One instance in a listing, with the content in force. */
export interface InstanceLine extends ContentAnswer {
  readonly ip: string;
  readonly port: number;
  readonly cluster: string;
  readonly kind: InstanceKind;
  readonly instanceId: string;
  /** Real health, without protection. */
  readonly healthy: boolean;
  readonly lastBeat: number;
  /** Ephemeral instances only. */
  readonly beatTimeoutMs?: number;
  /** Ephemeral instances only. */
  readonly deleteTimeoutMs?: number;
  /** What an operator edited: `weight`, `enabled`, `metadata.<key>`. */
  readonly edited: readonly string[];
  /** `http`, `store`, or the ids of connections. */
  readonly publishers: readonly string[];
}

/** GET `/rollcall/v1/instances`, and each event of `/rollcall/v1/watch`. */
export interface InstancesAnswer {
  readonly namespaceId: string;
  readonly groupName: string;
  readonly serviceName: string;
  /** Null while there is no such service. */
  readonly service: ServiceLine | null;
  /** Version of the list, epoch ms, strictly increasing; 0 while there is no such service. */
  readonly version: number;
  readonly instances: readonly InstanceLine[];
}

/** GET `/rollcall/v1/instance`. */
export interface InstanceAnswer extends InstanceLine {
  /** What the publisher sent last. */
  readonly registered: ContentAnswer;
  /** What is left of that after an operator's removals. */
  readonly underEdits: ContentAnswer;
  /** The fields that an operator set; null without any. */
  readonly edits: Partial<Omit<ContentAnswer, 'app'>> | null;
  readonly inForce: ContentAnswer;
  readonly registrations: readonly {
    readonly publisher: string;
    readonly healthy: boolean;
    readonly lastBeat: number;
    /** Whether it waits for its connection to come back after a restart. */
    readonly orphaned: boolean;
  }[];
}

/** DELETE `/rollcall/v1/instance/edits`. */
export interface ResetAnswer {
  /** False when nothing was edited. */
  readonly reset: boolean;
}

/** One subscriber of one service. Versions are those of the list, see {@link InstancesAnswer}; null is never. */
export interface SubscriberLine {
  readonly namespaceId: string;
  readonly groupName: string;
  readonly serviceName: string;
  /** `udp`: datagrams to ip and port. `stream`: a connection. */
  readonly transport: 'udp' | 'stream';
  readonly ip: string;
  readonly port?: number;
  readonly connection?: string;
  /** As the client sent it, comma separated; empty for all. */
  readonly clusters: string;
  readonly agent: string;
  readonly app: string;
  /** Version of the list now. */
  readonly version: number;
  /** Newest version that the subscriber has for certain: acknowledged, or given as answer to its query. */
  readonly knownVersion: number;
  readonly lastQueried: number | null;
  readonly lastPushed: number | null;
  readonly lastAcknowledged: number | null;
  /** The push that is not acknowledged yet. */
  readonly outstanding: { readonly version: number; readonly sends: number; readonly waitsMs: number } | null;
  /** Counts since it subscribed: first sends, resends, pushes given up, sends that failed. */
  readonly pushed: number;
  readonly resent: number;
  readonly givenUp: number;
  readonly failed: number;
  /** Over UDP: when it is forgotten unless it asks again. */
  readonly forgottenInMs?: number;
}

/** GET `/rollcall/v1/subscribers`. */
export interface SubscribersAnswer {
  /** Of all pages. */
  readonly count: number;
  readonly subscribers: readonly SubscriberLine[];
}
