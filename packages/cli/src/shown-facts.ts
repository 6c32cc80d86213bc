// Facts of a history as lines of a time line.

import type { HistoryAnswer } from '@rollcall/server';
import { addressText } from './instance-address.js';
import { clockText } from './shown-account.js';
import { safeText } from './table.js';
import type { Terminal } from './terminal.js';

/** One fact. */
export type ShownFact = HistoryAnswer['facts'][number];

const GOOD = new Set([
  'instance-registered',
  'instance-healthy',
  'push-acknowledged',
  'beats-resumed',
  'protection-off',
]);
const BAD = new Set(['instance-unhealthy', 'instance-removed', 'push-given-up', 'push-failed', 'protection-on']);

/** One line: time, what happened, to whom, and why. */
export function factText(fact: ShownFact, { colors }: Terminal): string {
  const color = GOOD.has(fact.type) ? colors.green : BAD.has(fact.type) ? colors.red : colors.yellow;
  const from = fact.peer === undefined || fact.peer === null ? fact.via : `${fact.via} ${fact.peer}`;
  const words = [colors.bold(clockText(fact.at)), color(fact.type.padEnd(22)), detailsOf(fact), colors.dim(from)];
  return words.filter((word) => word !== '').join('  ');
}

function detailsOf(fact: ShownFact): string {
  if ('publisher' in fact) {
    const why = fact.cause === undefined ? [] : [fact.cause];
    return safeText([addressText(fact), ...why, `version ${fact.version}`].join(' '));
  }
  if ('subscriber' in fact) {
    return safeText([fact.subscriber, ...(fact.reason ? [fact.reason] : []), `version ${fact.version}`].join(' '));
  }
  const { at: _, wall: __, via: ___, peer: ____, type: _____, ...rest } = fact;
  return safeText(
    Object.entries(rest)
      .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', '),
  );
}
