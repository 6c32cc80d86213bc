// The crash test: round after round, write load, a kill at a random moment, a start on the same data, and a look at
// everything. Now and then the server is killed again while it starts, or stopped in order instead.
import { setTimeout as sleep } from 'node:timers/promises';
import { NamingApi } from '../naming-api.js';
import { RollcallProcess } from '../rollcall-process.js';
import type { CrashSubject } from './crash-subject.js';
import { createCrashSubjects, dealSubjects } from './crash-subjects.js';
import { SeededRandom } from './seeded-random.js';
import { ServerState } from './server-state.js';
import { type LoadOutcome, startWriteLoad } from './write-load.js';

/** How long, and with which random choices. */
export interface CrashPlan {
  readonly rounds: number;
  readonly seed: number;
}

/** What one round saw. */
export interface CrashRound {
  readonly round: number;
  /** How the server ended. */
  readonly end: 'killed' | 'killed, and again while it started' | 'stopped in order';
  readonly acknowledged: number;
  readonly inDoubt: number;
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMs: number;
  /** What was wrong; empty when the round passed. */
  readonly violations: readonly string[];
}

/** What a run saw. */
export interface CrashReport {
  readonly rounds: readonly CrashRound[];
  /** Where the data of a failed run was left; undefined when it was removed. */
  readonly dataDirectory: string | undefined;
}

const WRITERS = 8;
const LOAD_MS_MIN = 5;
const LOAD_MS_MAX = 250;
const ORDERLY_PROBABILITY = 0.1;
const KILL_AT_START_PROBABILITY = 0.2;
/** A start takes about this long; the second kill falls somewhere into it. */
const START_KILL_MS_MAX = 400;

/** Runs the test; ends early at the first round with a violation, and leaves that round's data where it is. */
export async function runCrashTest(plan: CrashPlan, onRound: (round: CrashRound) => void): Promise<CrashReport> {
  const random = new SeededRandom(plan.seed);
  const server = await RollcallProcess.create();
  const subjects = createCrashSubjects();
  const rounds: CrashRound[] = [];
  try {
    await server.start();
    while (rounds.length < plan.rounds && !hasViolations(rounds.at(-1))) {
      const round = await runRound(rounds.length + 1, server, subjects, random.fork());
      rounds.push(round);
      onRound(round);
    }
  } finally {
    await server.stop('SIGKILL');
  }
  if (hasViolations(rounds.at(-1))) return { rounds, dataDirectory: server.dataDirectory };
  await server.remove();
  return { rounds, dataDirectory: undefined };
}

function hasViolations(round: CrashRound | undefined): boolean {
  return round !== undefined && round.violations.length > 0;
}

async function runRound(
  round: number,
  server: RollcallProcess,
  subjects: readonly CrashSubject[],
  random: SeededRandom,
): Promise<CrashRound> {
  const load = startWriteLoad(server.endpoint, dealSubjects(subjects, WRITERS), random.fork());
  await sleep(random.wholeNumber(LOAD_MS_MIN, LOAD_MS_MAX));
  const end = await endServer(server, random);
  load.stop();
  const outcome = await load.ended;
  const startMs = Math.round(await server.start());
  const violations = [...refusalsOf(outcome), ...(await checkSubjects(server, subjects))];
  const { acknowledged, inDoubt } = outcome;
  return { round, end, acknowledged, inDoubt, startMs, violations };
}

async function endServer(server: RollcallProcess, random: SeededRandom): Promise<CrashRound['end']> {
  if (random.happens(ORDERLY_PROBABILITY)) {
    await server.stop('SIGTERM');
    return 'stopped in order';
  }
  await server.stop('SIGKILL');
  if (!random.happens(KILL_AT_START_PROBABILITY)) return 'killed';
  server.spawn();
  await sleep(random.wholeNumber(0, START_KILL_MS_MAX));
  await server.stop('SIGKILL');
  return 'killed, and again while it started';
}

/** A server that stops in order may refuse what comes too late; any other refusal is a fault. */
function refusalsOf({ refusals }: LoadOutcome): readonly string[] {
  return refusals.filter((refusal) => !refusal.includes('answered 503'));
}

async function checkSubjects(server: RollcallProcess, subjects: readonly CrashSubject[]): Promise<readonly string[]> {
  const api = new NamingApi(server.endpoint);
  const state = new ServerState(api);
  const violations: string[] = [];
  for (const subject of subjects) {
    const violation = subject.settle(await subject.kind.read(state));
    if (violation !== undefined) violations.push(violation);
  }
  api.close();
  return violations;
}
