// Plays the golden gRPC cases against a server and judges what comes back.

import http from 'node:http';
import { caseNames } from '../golden/case-names.js';
import type { Difference } from '../golden/difference.js';
import { selfAddress } from '../golden/self-address.js';
import { type GrpcCase, grpcWaitingMs } from './grpc-case.js';
import { type GrpcAnswer, type GrpcTarget, runGrpcCase } from './grpc-case-run.js';
import { compareGrpcAnswer } from './grpc-comparison.js';
import type { GrpcExpectations } from './grpc-expectation.js';
import { GrpcVariables } from './grpc-variables.js';

/** What to replay, and against which server. */
export interface GrpcReplayOptions {
  readonly host: string;
  /** Port that speaks gRPC. */
  readonly port: number;
  /** Server with its context path: `http://127.0.0.1:8848/nacos`. */
  readonly base: string;
  readonly cases: readonly GrpcCase[];
  readonly expectations: GrpcExpectations;
  /** Cases at a time. Default 24. */
  readonly jobs?: number;
}

/** A step that did not give what is expected. */
export interface GrpcMismatch {
  readonly golden: GrpcCase;
  readonly stepIndex: number;
  readonly note: string | undefined;
  readonly differences: readonly Difference[];
}

/** Outcome of a replay: numbers of steps, and every mismatch. */
export interface GrpcReplayResult {
  readonly same: number;
  /** Steps whose outcome is free. */
  readonly notCompared: number;
  readonly mismatches: readonly GrpcMismatch[];
}

/** Replays cases. Starts and stops nothing but its own connections. */
export async function replayGrpc(options: GrpcReplayOptions): Promise<GrpcReplayResult> {
  const { cases, host, port } = options;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  try {
    const target = { base: new URL(options.base), agent };
    const server: GrpcTarget = { host, port, http: target, self: await selfAddress(target) };
    const run = Math.random().toString(36).slice(2, 8);
    const outcomes = new Map<string, CaseOutcome>();
    await runAll(cases, options.jobs ?? 24, async (golden) => {
      const variables = new GrpcVariables(caseNames({ ...golden, api: 'grpc', steps: [] }, cases.indexOf(golden), run));
      outcomes.set(golden.id, await outcomeOf(golden, server, variables));
    });
    return judge(options, outcomes);
  } finally {
    agent.destroy();
  }
}

type CaseOutcome = { readonly answers: readonly GrpcAnswer[] } | { readonly failure: string };

async function outcomeOf(golden: GrpcCase, server: GrpcTarget, variables: GrpcVariables): Promise<CaseOutcome> {
  try {
    return { answers: await runGrpcCase(golden, server, variables) };
  } catch (error) {
    return { failure: String(error) };
  }
}

/** The longest first, so that the others run beside them. */
async function runAll(
  cases: readonly GrpcCase[],
  jobs: number,
  runOne: (golden: GrpcCase) => Promise<void>,
): Promise<void> {
  const queue = cases.filter((golden) => golden.serial !== true).sort((a, b) => grpcWaitingMs(b) - grpcWaitingMs(a));
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await runOne(next);
  };
  const inTurn = async (): Promise<void> => {
    for (const golden of cases) if (golden.serial === true) await runOne(golden);
  };
  await Promise.all([inTurn(), ...Array.from({ length: jobs }, worker)]);
}

function judge(options: GrpcReplayOptions, outcomes: ReadonlyMap<string, CaseOutcome>): GrpcReplayResult {
  const { expectations } = options;
  const { optionalMembers } = expectations;
  const mismatches: GrpcMismatch[] = [];
  let [same, notCompared] = [0, 0];
  for (const golden of options.cases) {
    const outcome = outcomes.get(golden.id) ?? { failure: 'The case did not run' };
    golden.steps.forEach((step, stepIndex) => {
      if (step.wait !== undefined || step.close !== undefined || step.reopen) return;
      const expectation = expectations.of(golden.id, stepIndex);
      const found = 'answers' in outcome ? outcome.answers[stepIndex] : undefined;
      const differences =
        found === undefined
          ? [{ path: 'step', expected: 'to run', found: 'failure' in outcome ? outcome.failure : 'nothing' }]
          : compareGrpcAnswer(expectation, found, { step, optionalMembers });
      if (differences.length > 0)
        mismatches.push({ golden, stepIndex, note: expectations.noteOf(golden.id, stepIndex), differences });
      else if (expectation.kind === 'free') notCompared += 1;
      else same += 1;
    });
  }
  return { same, notCompared, mismatches };
}
