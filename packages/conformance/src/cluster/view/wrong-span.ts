// A time during which something was wrong in the lists of one node.
import type { Wrong } from './judge-list.js';

/** One such time, on the clock of `performance.now()`. */
export interface WrongSpan extends Wrong {
  readonly serviceName: string;
  /** Index of the node. */
  readonly node: number;
  /** First list in which it was wrong. */
  readonly fromMs: number;
  /** First list in which it was right again, or the last one that was seen; undefined while it is wrong. */
  toMs: number | undefined;
}

/** How long the longest was, in milliseconds; 0 for none. Those that are not over count until now. */
export function longestMs(spans: readonly WrongSpan[]): number {
  const nowMs = performance.now();
  return spans.reduce((longest, { fromMs, toMs }) => Math.max(longest, (toMs ?? nowMs) - fromMs), 0);
}

/** How many instances they are about, all nodes together. */
export function instancesOf(spans: readonly WrongSpan[]): number {
  return new Set(spans.map(({ serviceName, address }) => `${serviceName} ${address}`)).size;
}
