// Compares an answer with what is expected of it.

import { type Difference, differences, VARIES } from './difference.js';
import type { Json } from './exact-json.js';
import type { StepExpectation } from './expectation.js';
import { type GoldenAnswer, USUAL_HEADERS } from './golden-answer.js';

/** How closely to compare. */
export interface Comparison {
  /** Paths of members that may be there although the expectation does not have them. */
  readonly optionalMembers: ReadonlySet<string>;
  /** `members`: status, media type and body. `form`: also charset, number forms, order of members, headers. */
  readonly depth: 'members' | 'form';
}

/** All differences; none when the answer is as expected. */
export function compareAnswer(
  { answer: expected, extraAllowed }: StepExpectation,
  found: GoldenAnswer,
  comparison: Comparison,
): Difference[] {
  if (expected.status === 0) return [];
  if (found.error !== undefined) {
    const noneAllowed = Array.isArray(expected.status) && expected.status.includes(0);
    return noneAllowed ? [] : [{ path: 'request', expected: 'an answer', found: found.error }];
  }
  const body = differences(expected.body, found.body).filter(
    (one) => one.expected !== undefined || !(extraAllowed || comparison.optionalMembers.has(withoutIndexes(one.path))),
  );
  const all = [...statusDifferences(expected, found), ...typeDifferences(expected, found, comparison), ...body];
  if (comparison.depth === 'form') all.push(...formDifferences(expected, found, body.length === 0 ? 'same' : 'other'));
  return all;
}

function statusDifferences(expected: GoldenAnswer, found: GoldenAnswer): Difference[] {
  if (expected.status === VARIES) return [];
  const right = Array.isArray(expected.status) ? expected.status : [expected.status];
  return right.includes(found.status) ? [] : [{ path: 'status', expected: expected.status, found: found.status }];
}

function typeDifferences(expected: GoldenAnswer, found: GoldenAnswer, { depth }: Comparison): Difference[] {
  if (expected.contentType === VARIES) return [];
  const comparable = (type: string | null | undefined): string =>
    (depth === 'form' ? (type ?? '') : ((type ?? '').split(';')[0] ?? '').trim()).toLowerCase();
  if (comparable(expected.contentType) === comparable(found.contentType)) return [];
  return [{ path: 'contentType', expected: expected.contentType, found: found.contentType }];
}

function formDifferences(expected: GoldenAnswer, found: GoldenAnswer, members: 'same' | 'other'): Difference[] {
  const fractions = (expected.floats ?? [])
    .filter((path) => !(found.floats ?? []).includes(path))
    .map((path) => ({ path, expected: 'a number with a fraction', found: 'none' }));
  const [orderExpected, orderFound] = [memberOrder(expected.body), memberOrder(found.body)];
  const order =
    members === 'same' && orderExpected !== orderFound
      ? [{ path: 'member order', expected: orderExpected, found: orderFound }]
      : [];
  const headers = differences(
    expected.headersOfInterest ?? USUAL_HEADERS,
    found.headersOfInterest ?? USUAL_HEADERS,
    'headers',
  );
  return [...fractions, ...order, ...headers];
}

/** Text that names all members in their order. */
function memberOrder(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(memberOrder).join()}]`;
  if (typeof value !== 'object' || value === null) return '';
  return `{${Object.entries(value)
    .map(([member, inner]) => member + memberOrder(inner))
    .join()}}`;
}

function withoutIndexes(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}
