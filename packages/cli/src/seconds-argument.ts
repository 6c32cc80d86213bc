// A time in seconds as typed.

import { CommandError } from './command-error.js';

const SECONDS_MAX = 86_400;

/** Reads a time; for commander. @throws CommandError `usage` when it is no whole number from 0 to 86400 */
export function parseSeconds(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= SECONDS_MAX) return seconds;
  throw new CommandError('usage', `Cannot use the time "${text}": allowed is a number of seconds, 0 to ${SECONDS_MAX}`);
}
