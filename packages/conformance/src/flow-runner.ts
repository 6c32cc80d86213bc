// Runs flows: those that go together side by side, then those that want the server for themselves, one by one. A flow
// that throws anything but `FlowSkip` has failed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow, FlowOutcome, FlowResult } from './flow.js';
import { FlowContext, type LimitStrength } from './flow-context.js';
import { FlowFailure, FlowSkip } from './flow-failure.js';
import type { ServerUnderTest } from './server-under-test.js';

/** How to run. */
export interface FlowRun {
  readonly server: ServerUnderTest;
  readonly strength: LimitStrength;
  /** Goes into every name, so that runs against one server do not meet. */
  readonly runId: string;
  /** Told of each result as it comes. */
  readonly onResult: (result: FlowResult) => void;
}

/** Pause between two starts of flows that run together, so that they do not all ask in the same millisecond. */
const START_PAUSE_MS = 50;
/** A flow that takes this much longer than it says has hung. */
const TIMEOUT_FACTOR = 4;
const TIMEOUT_MIN_MS = 60_000;

/** Runs the flows and returns their results in the order given. */
export async function runFlows(flows: readonly Flow[], run: FlowRun): Promise<readonly FlowResult[]> {
  const results = new Map<Flow, FlowResult>();
  const runAndKeep = async (flow: Flow): Promise<void> => {
    const result = await runFlow(flow, run);
    results.set(flow, result);
    run.onResult(result);
  };
  const started: Promise<void>[] = [];
  for (const flow of flows.filter(({ runs }) => runs === 'together')) {
    started.push(runAndKeep(flow));
    await sleep(START_PAUSE_MS);
  }
  await Promise.all(started);
  for (const flow of flows.filter(({ runs }) => runs === 'alone')) await runAndKeep(flow);
  return flows.flatMap((flow) => results.get(flow) ?? []);
}

async function runFlow(flow: Flow, run: FlowRun): Promise<FlowResult> {
  const context = new FlowContext(flow, run.server, run.strength, run.runId);
  let startedAtMs = performance.now();
  let outcome: FlowOutcome;
  try {
    await flow.prepare?.();
    startedAtMs = performance.now();
    await Promise.race([flow.run(context), failWhenHung(flow)]);
    outcome = { result: 'passed' };
  } catch (error) {
    outcome = { result: error instanceof FlowSkip ? 'skipped' : 'failed', reason: reasonOf(error) };
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  await context.end();
  return { flow, outcome, measurements: context.measurements, seconds };
}

async function failWhenHung(flow: Flow): Promise<never> {
  const timeoutMs = Math.max(flow.seconds * 1000 * TIMEOUT_FACTOR, TIMEOUT_MIN_MS);
  await sleep(timeoutMs, undefined, { ref: false });
  throw new FlowFailure(`Not finished after ${timeoutMs} ms`);
}

function reasonOf(error: unknown): string {
  if (error instanceof FlowFailure || error instanceof FlowSkip) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
