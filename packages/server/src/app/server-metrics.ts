// The metrics of a running server: everything that counts, brought together.

import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '@rollcall/runtime';
import type { GrpcService } from '../adapters/grpc/grpc-service.js';
import type { HttpLanes } from '../adapters/http/http-lanes.js';
import type { RouteTable } from '../adapters/http/route-table.js';
import { EventCounts } from '../adapters/metrics/event-counts.js';
import type { ClusterFigures, ProbeFigures } from '../adapters/metrics/metric-sources.js';
import { MetricsPage } from '../adapters/metrics/metrics-page.js';
import { ProcessWatch } from '../adapters/metrics/process-watch.js';
import { StageTimes } from '../adapters/metrics/stage-times.js';
import { PushStatistics } from '../adapters/push-statistics.js';
import type { RegistryAccess } from '../adapters/registry-access.js';
import type { RegistryEvents } from '../adapters/registry-events.js';
import type { CountedStore } from '../adapters/store/counted-store.js';
import type { EphemeralLog } from '../adapters/store/ephemeral-log.js';
import type { SharedStoreFigures } from '../adapters/store/shared/shared-store.js';
import type { UdpPushService } from '../adapters/udp/udp-push-service.js';
import type { ServerLedger } from './server-ledger.js';
import { SERVER_VERSION } from './version.js';

/** What is measured. */
export interface MeasuredParts {
  readonly runner: RegistryAccess & RegistryEvents;
  readonly counted: CountedStore;
  /** Of the store that nodes share; undefined when there is none. */
  readonly sharedFigures: () => SharedStoreFigures | undefined;
  readonly log: EphemeralLog;
  readonly grpc: GrpcService;
  readonly udp: UdpPushService;
  readonly probes: ProbeFigures;
  /** Undefined for a server alone. */
  readonly cluster: ClusterFigures | undefined;
  /** Undefined when no history is kept. */
  readonly ledger: ServerLedger | undefined;
}

/** Counts from its making on; makes pages once it knows the HTTP side, which serves them. */
export class ServerMetrics {
  /** Shared with the routes that show it. */
  readonly pushes: PushStatistics;
  readonly #parts: MeasuredParts;
  readonly #events: EventCounts;
  readonly #stages: StageTimes;
  readonly #process = new ProcessWatch();
  readonly #startedAt: number;
  #page: MetricsPage | undefined;

  constructor(parts: MeasuredParts, clock: Clock) {
    this.#parts = parts;
    this.#events = new EventCounts(parts.runner);
    this.#stages = new StageTimes(parts.runner);
    this.pushes = new PushStatistics(parts.runner);
    this.#startedAt = clock.now().wall;
    this.#process.start(clock.now());
  }

  /** Takes the HTTP side in. */
  serveFrom(lanes: HttpLanes, routes: RouteTable): void {
    const { runner, counted, sharedFigures, log, grpc, udp, probes, cluster, ledger } = this.#parts;
    const sources = {
      version: SERVER_VERSION,
      startedAt: this.#startedAt,
      core: runner.core,
      now: () => runner.now(),
      events: this.#events,
      pushes: this.pushes,
      http: lanes,
      routes: routes.routes,
      udp: udp.counters,
      grpc: grpc.counters,
      journal: log,
      store: counted,
      sharedStore: sharedFigures,
      process: this.#process,
      probes,
      stages: this.#stages,
      cluster,
      ledger: () => ledger?.ledger.figures ?? { bytes: 0, facts: 0, dropped: 0 },
    };
    this.#page = new MetricsPage(sources, () => turn());
  }

  /** The page; only after {@link serveFrom}. */
  get page(): MetricsPage {
    if (this.#page === undefined) throw new Error('Metrics are asked for before the HTTP side is known');
    return this.#page;
  }

  /** Watches the process no more. */
  stop(): void {
    this.#process.stop();
  }
}
