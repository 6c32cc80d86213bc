// Sends golden cases to a server and compares its answers. Cases that wait run all at once, the others a few at a time,
// and those that change what all share run alone at the end.

import http from 'node:http';
import { type CaseNames, caseNames, fillTemplate } from './case-names.js';
import { type Comparison, compareAnswer } from './comparison.js';
import type { Difference } from './difference.js';
import type { Expectations } from './expectation.js';
import { type GoldenAnswer, goldenAnswer } from './golden-answer.js';
import type { GoldenCase, GoldenStep } from './golden-case.js';
import { exchange, type Reply, type Target } from './http-exchange.js';
import { selfAddress } from './self-address.js';

/** What to replay, and against which server. */
export interface ReplayOptions {
  /** Server with its context path: `http://127.0.0.1:8848/nacos`. */
  readonly base: string;
  readonly cases: readonly GoldenCase[];
  readonly expectations: Expectations;
  /** Default `members`. */
  readonly depth?: Comparison['depth'];
  /** Pause after each write, ms. Default 0: the server must show a write at once. */
  readonly settleMs?: number;
  /** Cases at a time. Default 16. */
  readonly jobs?: number;
  /** Called with each answer as it came, beside the comparison. */
  readonly observe?: (answered: AnsweredStep) => void;
}

/** A step with the path that it asked for and what came back. */
export interface AnsweredStep {
  readonly step: GoldenStep;
  /** Without query and context path, placeholders filled. */
  readonly path: string;
  readonly reply: Reply;
}

/** A step that was not answered as expected. */
export interface StepMismatch {
  readonly golden: GoldenCase;
  readonly stepIndex: number;
  readonly note: string | undefined;
  readonly differences: readonly Difference[];
}

/** Outcome of a replay: numbers of steps, and every mismatch. */
export interface ReplayResult {
  readonly same: number;
  /** Steps whose answer is free. */
  readonly notCompared: number;
  readonly mismatches: readonly StepMismatch[];
}

/** Replays cases. Starts and stops nothing but its own connections. */
export async function replay(options: ReplayOptions): Promise<ReplayResult> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  try {
    const target: Target = { base: new URL(options.base), agent };
    const run = Math.random().toString(36).slice(2, 8);
    const { settleMs = 0, observe } = options;
    const session: Session = { target, settleMs, self: await selfAddress(target), observe };
    const answers = new Map<string, GoldenAnswer[]>();
    const runOne = async (golden: GoldenCase): Promise<void> => {
      const names = caseNames(golden, options.cases.indexOf(golden), run);
      answers.set(golden.id, await runCase(golden, names, session));
    };
    await runAll(options.cases, options.jobs ?? 16, runOne);
    return judge(options, answers);
  } finally {
    agent.destroy();
  }
}

interface Session {
  readonly target: Target;
  readonly settleMs: number;
  readonly self: string | undefined;
  readonly observe: ReplayOptions['observe'];
}

async function runAll(
  cases: readonly GoldenCase[],
  jobs: number,
  runOne: (golden: GoldenCase) => Promise<void>,
): Promise<void> {
  const shared = cases.filter((golden) => golden.exclusive !== true);
  const queue = shared.filter((golden) => waitingMs(golden) < 1000);
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await runOne(next);
  };
  const waiting = shared.filter((golden) => waitingMs(golden) >= 1000).map(runOne);
  await Promise.all([...waiting, ...Array.from({ length: jobs }, worker)]);
  for (const golden of cases) if (golden.exclusive === true) await runOne(golden);
}

/** Longest time that a case waits, ms, without the time of its requests. */
export function waitingMs(golden: GoldenCase): number {
  return golden.steps.reduce((sum, step) => Math.max(sum, step.atMs ?? 0) + (step.waitMs ?? 0), 0);
}

async function runCase(golden: GoldenCase, names: CaseNames, session: Session): Promise<GoldenAnswer[]> {
  const beganAt = performance.now();
  const answers: GoldenAnswer[] = [];
  let previous: GoldenStep | undefined;
  for (const step of golden.steps) {
    await sleep(pauseBefore(step, previous, performance.now() - beganAt, session.settleMs));
    const reply = await exchange(step, session.target, names);
    session.observe?.({ step, path: fillTemplate(step.path, names), reply });
    answers.push(goldenAnswer(reply, { step, names, self: session.self }));
    previous = step;
  }
  return answers;
}

function pauseBefore(step: GoldenStep, previous: GoldenStep | undefined, elapsedMs: number, settleMs: number): number {
  if (step.atMs !== undefined) return step.atMs - elapsedMs;
  if (step.waitMs !== undefined) return step.waitMs;
  return previous === undefined || previous.method === 'GET' ? 0 : settleMs;
}

async function sleep(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

function judge(options: ReplayOptions, answers: ReadonlyMap<string, readonly GoldenAnswer[]>): ReplayResult {
  const { cases, expectations } = options;
  const comparison: Comparison = {
    optionalMembers: expectations.optionalMembers,
    depth: options.depth ?? 'members',
  };
  const mismatches: StepMismatch[] = [];
  let [same, notCompared] = [0, 0];
  for (const golden of cases) {
    answers.get(golden.id)?.forEach((answer, stepIndex) => {
      const expectation = expectations.of(golden.id, stepIndex);
      const found = expectation === undefined ? undefined : compareAnswer(expectation, answer, comparison);
      if (found === undefined) notCompared++;
      else if (found.length === 0) same++;
      else mismatches.push({ golden, stepIndex, note: expectation?.note, differences: found });
    });
  }
  return { same, notCompared, mismatches };
}
