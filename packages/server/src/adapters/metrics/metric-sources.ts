// Where metrics come from: counters that the parts of the server keep anyway.

import type { Now } from '@rollcall/runtime';
import type { Ledger } from '../../core/ledger/ledger.js';
import type { RegistryCore } from '../../core/registry-core.js';
import type { AlarmKind } from '../../core/replication/alarm-kind.js';
import type { GrpcCounters } from '../grpc/grpc-counters.js';
import type { HttpCounters } from '../http/http-counters.js';
import type { Route } from '../http/route.js';
import type { ClusterView } from '../operator/cluster-view.js';
import type { PeerCounters } from '../peer/peer-counters.js';
import type { PushStatistics } from '../push-statistics.js';
import type { StoreCounts } from '../store/counted-store.js';
import type { EphemeralLog } from '../store/ephemeral-log.js';
import type { SharedStoreFigures } from '../store/shared/shared-store.js';
import type { UdpCounters } from '../udp/udp-counters.js';
import type { EventCounts } from './event-counts.js';
import type { ProcessWatch } from './process-watch.js';
import type { StageTimes } from './stage-times.js';

/** What is known of probes. */
export interface ProbeFigures {
  readonly counters: {
    /** Probes made, by checker. */
    readonly probes: Readonly<Record<'TCP' | 'HTTP' | 'MYSQL', number>>;
    /** Probes made, by what they found. */
    readonly outcomes: Readonly<Record<string, number>>;
    /** Changes of health. */
    readonly flips: { readonly healthy: number; readonly unhealthy: number };
    readonly tookMs: number;
  };
  /** Instances that are probed, and probes under way. */
  readonly load: { readonly targets: number; readonly inFlight: number };
}

/** What is known of the cluster. */
export interface ClusterFigures extends Pick<ClusterView, 'state' | 'members'> {
  readonly counters: PeerCounters;
  /** Alarms since the start. */
  readonly alarms: Readonly<Record<AlarmKind, number>>;
}

/** The parts that are asked. */
export interface MetricSources {
  readonly version: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly core: RegistryCore;
  readonly now: () => Now;
  readonly events: EventCounts;
  readonly pushes: PushStatistics;
  readonly http: {
    readonly counters: HttpCounters;
    readonly traffic: { readonly readBytes: number; readonly writtenBytes: number };
  };
  readonly routes: readonly Route[];
  readonly udp: UdpCounters;
  readonly grpc: GrpcCounters;
  readonly journal: Pick<EphemeralLog, 'counters' | 'snapshots'>;
  readonly store: { readonly counts: StoreCounts };
  /** Of the store that nodes share; undefined when there is none. */
  readonly sharedStore: () => SharedStoreFigures | undefined;
  readonly process: ProcessWatch;
  readonly probes: ProbeFigures;
  readonly stages: StageTimes;
  /** Undefined for a server alone. */
  readonly cluster: ClusterFigures | undefined;
  /** Sizes of the history; zeros when none is kept. */
  readonly ledger: () => Pick<Ledger['figures'], 'bytes' | 'facts' | 'dropped'>;
}
