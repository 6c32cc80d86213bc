// Facts of a history as lines of a time line.

import type { HistoryAnswer } from '@rollcall/server';
import { padColumns } from './column-width.js';
import { causeText, moveText, nodeText, typeText, versionText } from './history-words.js';
import { addressText } from './instance-address.js';
import type { Language } from './language.js';
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
  'probe-passed',
  'protection-off',
]);
const BAD = new Set(['instance-unhealthy', 'instance-removed', 'push-given-up', 'push-failed', 'protection-on']);

type InstanceFact = Extract<ShownFact, { readonly publisher: string }>;

/** Room for the longest type of a fact, but for a few. */
const TYPE_COLUMNS = 22;

/** One line: time, what happened, to whom, and why. */
export function factText(fact: ShownFact, language: Language, { colors }: Terminal): string {
  const color = GOOD.has(fact.type) ? colors.green : BAD.has(fact.type) ? colors.red : colors.yellow;
  const from = fact.peer === undefined || fact.peer === null ? fact.via : `${fact.via} ${fact.peer}`;
  const words = [
    colors.bold(clockText(fact.at)),
    color(padColumns(typeText(fact.type, language), TYPE_COLUMNS)),
    detailsOf(fact, language),
    colors.dim(from),
  ];
  return words.filter((word) => word !== '').join('  ');
}

function detailsOf(fact: ShownFact, language: Language): string {
  if ('publisher' in fact) {
    const why = fact.cause === undefined ? [] : [causeText(fact.cause, language)];
    const node = fact.move !== undefined ? [moveText(fact.move, language)] : nodeOf(fact, language);
    const what = [addressText(fact), ...why, ...editsOf(fact), ...node, versionText(fact.version, language)];
    return safeText(what.join(' '));
  }
  if ('subscriber' in fact) {
    return safeText(
      [fact.subscriber, ...(fact.reason ? [fact.reason] : []), versionText(fact.version, language)].join(' '),
    );
  }
  const { at: _, wall: __, via: ___, peer: ____, type: _____, ...rest } = fact;
  return safeText(
    Object.entries(rest)
      .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', '),
  );
}

function nodeOf({ node }: InstanceFact, language: Language): string[] {
  return node === undefined ? [] : [nodeText(node, language)];
}

/** Old and new values of what was edited. */
function editsOf({ edits = [] }: InstanceFact): string[] {
  return edits.map(({ field, from, to }) => `${field} ${from ?? '-'} → ${to ?? '-'}`);
}
