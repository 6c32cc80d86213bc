// What a scenario is: from a seed it draws how many nodes and clients there are, what their clocks are like, and the plan of
// what happens to them.

import type { ReplicationSettings } from '@rollcall/server/internal';
import type { ClockFault } from './node-clock.js';
import type { PlannedDeed } from './plan.js';
import type { SeededRandom } from './seeded-random.js';

/** A history before it happens. */
export interface HistoryPlan {
  readonly clocks: readonly ClockFault[];
  /** 1.x clients; each has a key of its own. */
  readonly beatClients: number;
  /** 2.x clients; each has a key of its own and subscribes to some services. */
  readonly streamClients: number;
  /** First node that 1.x clients try: always their own, or another one each time; `mixed` is some of each. */
  readonly homing: 'own' | 'any' | 'mixed';
  /** Times of leases that 1.x clients ask for: the usual ones, which is the default, or some of their own. */
  readonly leases?: 'usual' | 'own';
  /** In order of time. */
  readonly plan: readonly PlannedDeed[];
  /** When all faults end, ms. */
  readonly activeMs: number;
  /** What must hold in this history beyond the invariants. */
  readonly expects?: Expectations;
  /** Whether the nodes share a store. */
  readonly store?: 'shared';
  /** Settings of replication other than the usual ones. */
  readonly replication?: Partial<ReplicationSettings>;
}

/** Promises that hold only under some faults. */
export interface Expectations {
  /** No node shows a live instance as missing or unhealthy for longer than this, ms. */
  readonly harmMsMax?: number;
  /** Except this one. */
  readonly sparedNode?: number;
  /** No node finds another one DOWN. */
  readonly nobodyDown?: true;
  /** All nodes show the same this long after the faults have ended, ms. */
  readonly equalAfterMs?: number;
  /** Who died or left is listed nowhere this long after, ms. */
  readonly goneAfterMs?: number;
  /** Who deregistered is listed nowhere from this virtual time on, ms, or 3 s after its deregistration. */
  readonly leftStayAwayFromMs?: number;
  /** Two processes use one address, and one of them has to notice. */
  readonly twins?: true;
  /** Messages between two nodes in any second. */
  readonly messagesPerSecondMax?: number;
}

/** A kind of history. */
export interface Scenario {
  /** `F1` to `F19`, or `mix`. */
  readonly name: string;
  readonly title: string;
  /**
   * I10: no two writes are made without knowing of each other, so readers see the same at the same times with whatever wall
   * clocks. Such a history is run with two sets of them.
   */
  readonly comparesClocks?: true;
  /** I12: ephemeral instances are the same at the same times whether or not there is a shared store. */
  readonly comparesStores?: true;
  /** Draws a history of this kind. */
  draw(random: SeededRandom): HistoryPlan;
}
