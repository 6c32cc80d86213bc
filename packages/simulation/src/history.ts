// One history: a world is made from a seed, a plan happens in it, then all faults end and it comes to rest. The checkers
// watch all the time and look again at the end.

import { RegistryError } from '@rollcall/protocol';
import { makeCheckers } from './checkers/all-checkers.js';
import { Violation } from './checkers/checker.js';
import { differences } from './checkers/equality-checker.js';
import type { PlannedDeed } from './plan.js';
import { PlanRunner } from './plan-runner.js';
import type { HistoryPlan, Scenario } from './scenario.js';
import { SeededRandom } from './seeded-random.js';
import { StreamSessions } from './stream-sessions.js';
import type { TraceMode } from './trace.js';
import { makeWorkload } from './workload.js';
import { World } from './world.js';

/** Quiet time at the end: longer than any lease, grace and retention takes to end after the last fault. */
const QUIET_MS = 70_000;
/** In some histories so long that all removals are forgotten, too. */
const LONG_QUIET_MS = 140_000;
const HISTORIES_PER_LONG_QUIET = 8;
/** A change is seen on all nodes after this (B1: 0.45 s). */
const VISIBLE_MS = 500;

/** Which history to run, and how. */
export interface HistoryRequest {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly traceMode: TraceMode;
  /** How much of the plan happens: its first deeds; default: all. */
  readonly deeds?: number;
  /** Every second wall clock is ahead by this, the others are behind by it, ms; default 0. */
  readonly wallShiftMs?: number;
  /** Changes the world before it begins: for tests that break a rule on purpose. */
  readonly sabotage?: (world: World) => void;
  /** Whether there is the shared store that the scenario asks for; default: there is. */
  readonly store?: 'absent';
}

/** What came of a history. */
export interface HistoryResult {
  /** Trace hash: equal for equal requests. */
  readonly hash: string;
  /** The same for what readers saw, and when. */
  readonly viewHash: number;
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
export async function runHistory({
  scenario,
  seed,
  traceMode,
  deeds,
  wallShiftMs = 0,
  sabotage,
  store,
}: HistoryRequest): Promise<HistoryResult> {
  const shape = scenario.draw(new SeededRandom(seed, scenario.name));
  const plan = shape.plan.slice(0, deeds);
  const keyCount = shape.beatClients + shape.streamClients;
  const { replication = {} } = shape;
  const clocks = shape.clocks.map((clock, index) => ({
    ...clock,
    offsetMs: clock.offsetMs + (index % 2 === 0 ? -wallShiftMs : wallShiftMs),
  }));
  const shared = store === 'absent' ? undefined : shape.store;
  const world = new World({ seed, keyCount, clocks, traceMode, replication, store: shared });
  const violation = await findViolation(() => {
    sabotage?.(world);
    return happen(world, shape, plan, seed % HISTORIES_PER_LONG_QUIET === 0 ? LONG_QUIET_MS : QUIET_MS);
  });
  const { trace, steps, now } = world;
  return { hash: trace.hash, viewHash: trace.viewHash, steps, virtualMs: now, plan, violation, story: trace.story };
}

async function happen(world: World, shape: HistoryPlan, plan: readonly PlannedDeed[], quietMs: number): Promise<void> {
  const workload = makeWorkload(world, new StreamSessions(world), shape);
  world.checkers.push(...makeCheckers(world, workload, shape.expects ?? {}));
  const runner = new PlanRunner(world, workload.clients);
  for (const node of world.nodes) node.start();
  runner.arrange(plan);
  await world.runUntil(shape.activeMs);
  runner.calm();
  const { equalAfterMs } = shape.expects ?? {};
  if (equalAfterMs !== undefined) {
    await world.runUntil(shape.activeMs + equalAfterMs);
    await requireEquality(world, equalAfterMs);
  }
  await world.runUntil(shape.activeMs + quietMs);
  for (const checker of world.checkers) checker.atEnd?.();
}

/**
 * B4: a scenario says how soon after its last fault all nodes show the same. Changes go on: one that has just been made is
 * seen by the others within B1.
 */
async function requireEquality(world: World, afterMs: number): Promise<void> {
  const before = new Set(differences(world));
  await world.runUntil(world.now + VISIBLE_MS);
  const lasting = differences(world).find((difference) => before.has(difference));
  if (lasting !== undefined) throw new Violation('B4', `${afterMs} ms after the last fault ${lasting}`);
}

async function findViolation(run: () => Promise<void>): Promise<Violation | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    if (error instanceof RegistryError) return new Violation('I7', `a node refuses a request: ${error.message}`);
    throw error;
  }
}
