// A gRPC replay's outcome as text for people.

import { differenceLines } from '../golden/replay-report.js';
import type { GrpcStep } from './grpc-case.js';
import type { GrpcMismatch, GrpcReplayResult } from './grpc-replay.js';

const STEP_LENGTH_MAX = 240;

/** Every mismatch with its step, and a last line with the totals. */
export function grpcReplayReport({ same, notCompared, mismatches }: GrpcReplayResult): string {
  const totals = `${same} same, ${mismatches.length} differ (${notCompared} not compared)`;
  return [...mismatches.map(mismatchText), totals].join('\n\n');
}

function mismatchText({ golden, stepIndex, note, differences }: GrpcMismatch): string {
  const step = golden.steps[stepIndex] as GrpcStep;
  return [
    `${golden.area} / ${golden.id} step ${stepIndex}: ${golden.title}`,
    `  ${JSON.stringify(step).slice(0, STEP_LENGTH_MAX)}`,
    ...(note === undefined ? [] : [`  (${note})`]),
    ...differenceLines(differences),
  ].join('\n');
}
