// Compares one subscriber's chain of an account with what an outsider saw: every stage ends where something was seen, stages
// leave no gap, and the sum is the time from the last sign of life to the last thing seen.
import type { FlowContext } from '../flow-context.js';
import { FlowFailure } from '../flow-failure.js';
import type { AccountChain } from './account-answer.js';
import type { MachineNoise } from './machine-noise.js';
import { between, distanceTo, type ObservedSpan } from './observed-span.js';

/** What was seen of one instance and one subscriber. */
export interface Observations {
  /** For the report. */
  readonly name: string;
  readonly lastSignOfLife: ObservedSpan;
  /** Unhealthy, or removed. */
  readonly down: ObservedSpan;
  /** By the name of the stage that each ends, in order of time. */
  readonly ends: Readonly<Record<string, readonly ObservedSpan[]>>;
}

const STAGE_LIMIT_MS = 50;
const SUM_LIMIT_MS = 10;

/** Checks the chain. @throws FlowFailure at the first thing that is not as it was seen */
export function checkChain(
  { context, noise }: { readonly context: FlowContext; readonly noise: MachineNoise },
  chain: AccountChain,
  seen: Observations,
): void {
  const { stages, to, totalMs, end } = chain;
  const { name, lastSignOfLife, down, ends } = seen;
  context.require(end === 'told', `${name}: the account ends "${end}", expected "told"`);
  const sum = stages.reduce((all, { ms }) => all + ms, 0);
  context.require(sum === totalMs, `${name}: stages add up to ${sum} ms, the total says ${totalMs} ms`);
  context.require((stages[0]?.from ?? to) + totalMs === to, `${name}: the total does not lead to the end`);
  let worst = 0;
  let last = down;
  for (const [i, stage] of stages.entries()) {
    const gap = stage.from - (stages[i - 1]?.to ?? stage.from);
    context.require(gap === 0, `${name}: ${gap} ms between "${stages[i - 1]?.name}" and "${stage.name}"`);
    last = nearest(name, stage, ends[stage.name] ?? []);
    const awayMs = distanceTo(last, stage.to);
    noise.requireAtMost(`${name}, end of "${stage.name}"`, awayMs, STAGE_LIMIT_MS);
    worst = Math.max(worst, awayMs);
  }
  const sumAwayMs = distanceTo(between(lastSignOfLife, last), totalMs);
  noise.requireAtMost(`${name}, sum`, sumAwayMs, SUM_LIMIT_MS);
  const shown = stages.map((stage) => `${stage.name} ${stage.ms}`).join(', ');
  context.measure(`${name}: ${shown} (stages ${worst}, sum ${sumAwayMs} ms from what was seen); total`, totalMs, 'ms');
}

function nearest(
  name: string,
  stage: { readonly name: string; readonly to: number },
  seen: readonly ObservedSpan[],
): ObservedSpan {
  const [first] = [...seen].sort((a, b) => distanceTo(a, stage.to) - distanceTo(b, stage.to));
  if (first !== undefined) return first;
  throw new FlowFailure(`${name}: nothing was seen that ends the stage "${stage.name}"`);
}
