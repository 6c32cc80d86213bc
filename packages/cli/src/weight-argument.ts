// A weight as typed.

import { CommandError } from './command-error.js';

const WEIGHT_MAX = 10_000;

/** Reads a weight; for commander. @throws CommandError `usage` when it is no number from 0 to 10000 */
export function parseWeight(text: string): number {
  const weight = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (weight <= WEIGHT_MAX) return weight;
  throw new CommandError('usage', `Cannot use the weight "${text}": allowed is a number from 0 to ${WEIGHT_MAX}`);
}
