// A replay's outcome as text for people.

import type { Difference } from './difference.js';
import type { GoldenStep, Pairs } from './golden-case.js';
import type { ReplayResult, StepMismatch } from './replay.js';

const DIFFERENCES_SHOWN = 12;
const VALUE_LENGTH_MAX = 200;
const REQUEST_LENGTH_MAX = 240;

/** Every mismatch with its request, mismatches per area, and a last line with the totals. */
export function replayReport(result: ReplayResult): string {
  const perArea = new Map<string, number>();
  for (const { golden } of result.mismatches) perArea.set(golden.area, (perArea.get(golden.area) ?? 0) + 1);
  const areas = [...perArea].map(([area, count]) => `${area}: ${count}`).join(', ');
  const free = result.notCompared === 0 ? '' : ` (${result.notCompared} not compared)`;
  return [
    ...result.mismatches.map(mismatchText),
    ...(areas === '' ? [] : [areas]),
    `${result.same} same, ${result.mismatches.length} differ${free}`,
  ].join('\n\n');
}

function mismatchText({ golden, stepIndex, note, differences }: StepMismatch): string {
  const step = golden.steps[stepIndex] as GoldenStep;
  const lines = [`${golden.area} / ${golden.id} step ${stepIndex}: ${golden.title}`, `  ${requestText(step)}`];
  if (note !== undefined) lines.push(`  (${note})`);
  return [...lines, ...differenceLines(differences)].join('\n');
}

/** The first differences of a step, a line each, and how many more there are. */
export function differenceLines(differences: readonly Difference[]): string[] {
  const lines = differences
    .slice(0, DIFFERENCES_SHOWN)
    .map(({ path, expected, found }) => `    ${path}: expected ${valueText(expected)}, found ${valueText(found)}`);
  const more = differences.length - DIFFERENCES_SHOWN;
  return more > 0 ? [...lines, `    and ${more} more`] : lines;
}

function requestText(step: GoldenStep): string {
  const query = step.rawQuery ?? pairsText(step.query);
  const body = step.form === undefined ? bodyText(step.body) : ` form ${pairsText(step.form)}`;
  return `${step.method} ${step.path}${query === '' ? '' : `?${query}`}${body}`.slice(0, REQUEST_LENGTH_MAX);
}

function bodyText(body: unknown): string {
  if (body === undefined) return '';
  return ` body ${typeof body === 'string' ? body : JSON.stringify(body)}`;
}

function pairsText(pairs: Pairs | undefined): string {
  const list = Array.isArray(pairs) ? (pairs as readonly (readonly [string, string])[]) : Object.entries(pairs ?? {});
  return list.map(([name, value]) => `${name}=${value}`).join('&');
}

function valueText(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
