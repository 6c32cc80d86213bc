// The argument of --at and --since: a moment, or how long ago it was.

import { CommandError } from './command-error.js';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads `90s`, `5m`, `2h` or `1d` ago, epoch ms, or a time such as `2026-01-31T10:00:00Z`; a time without zone is local.
 *
 * @param now - epoch ms
 * @returns epoch ms
 * @throws CommandError `usage`
 */
export function parseTime(text: string, now = Date.now()): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined) return now - Number(count) * (UNIT_MS[unit] as number);
  const at = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
  const isOld = /^\d{1,9}$/.test(text);
  if (!Number.isNaN(at) && !isOld) return at;
  const allowed = 'allowed is a time such as 2026-01-31T10:00:00Z, epoch ms, or how long ago such as 90s, 5m, 2h';
  throw new CommandError('usage', `Cannot read the time "${text}": ${allowed}`);
}
