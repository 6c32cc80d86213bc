// One history: a world is made from a seed, a plan happens in it, then all faults end and it comes to rest. The checkers
// watch all the time and look again at the end.

import { AbsenceChecker } from './checkers/absence-checker.js';
import { type Checker, Violation } from './checkers/checker.js';
import { EqualityChecker } from './checkers/equality-checker.js';
import { LeaseChecker } from './checkers/lease-checker.js';
import { OrderChecker } from './checkers/order-checker.js';
import { OriginChecker } from './checkers/origin-checker.js';
import { PresenceChecker } from './checkers/presence-checker.js';
import { PushChecker } from './checkers/push-checker.js';
import { RemovalChecker } from './checkers/removal-checker.js';
import type { PlannedDeed } from './plan.js';
import { PlanRunner } from './plan-runner.js';
import type { HistoryPlan, Scenario } from './scenario.js';
import { SeededRandom } from './seeded-random.js';
import { StreamSessions } from './stream-sessions.js';
import type { TraceMode } from './trace.js';
import { makeWorkload, type Workload } from './workload.js';
import { World } from './world.js';

/** Quiet time at the end: longer than any lease, grace and retention takes to end after the last fault. */
const QUIET_MS = 100_000;

/** Which history to run, and how. */
export interface HistoryRequest {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly traceMode: TraceMode;
  /** How much of the plan happens: its first deeds; default: all. */
  readonly deeds?: number;
  /** Changes the world before it begins: for tests that break a rule on purpose. */
  readonly sabotage?: (world: World) => void;
}

/** What came of a history. */
export interface HistoryResult {
  /** Trace hash: equal for equal requests. */
  readonly hash: string;
  readonly steps: number;
  /** Virtual time, ms. */
  readonly virtualMs: number;
  /** What happened, in order. */
  readonly plan: readonly PlannedDeed[];
  /** The first promise that was broken. */
  readonly violation: Violation | undefined;
  /** Empty unless the trace mode asks for it. */
  readonly story: readonly string[];
}

/** Runs a history. */
export function runHistory({ scenario, seed, traceMode, deeds, sabotage }: HistoryRequest): HistoryResult {
  const shape = scenario.draw(new SeededRandom(seed, scenario.name));
  const plan = shape.plan.slice(0, deeds);
  const keyCount = shape.beatClients + shape.streamClients;
  const world = new World({ seed, keyCount, clocks: shape.clocks, traceMode });
  const violation = findViolation(() => {
    sabotage?.(world);
    happen(world, shape, plan);
  });
  const { trace, steps, now } = world;
  return { hash: trace.hash, steps, virtualMs: now, plan, violation, story: trace.story };
}

function happen(world: World, shape: HistoryPlan, plan: readonly PlannedDeed[]): void {
  const workload = makeWorkload(world, new StreamSessions(world), shape);
  world.checkers.push(...makeCheckers(world, workload));
  const runner = new PlanRunner(world, workload.clients);
  for (const node of world.nodes) node.start();
  runner.arrange(plan);
  world.queue.runUntil(shape.activeMs);
  runner.calm();
  world.queue.runUntil(shape.activeMs + QUIET_MS);
  for (const checker of world.checkers) checker.atEnd?.();
}

function makeCheckers(world: World, { clients, streamClients }: Workload): Checker[] {
  const { log, keys } = world;
  const leased = new Set(clients.filter(({ protocol }) => protocol === '1.x').map(({ key }) => key));
  const isLeased = (key: (typeof keys)[number]) => leased.has(key);
  return [
    new OriginChecker(log),
    new OrderChecker(log, isLeased),
    new RemovalChecker(log, keys, isLeased),
    new LeaseChecker(log, keys),
    new EqualityChecker(world),
    new PresenceChecker(world, clients),
    new AbsenceChecker(world, clients),
    new PushChecker(streamClients),
  ];
}

function findViolation(run: () => void): Violation | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}
