import { expect, it } from 'vitest';
import { type Comparison, compareAnswer } from './comparison.js';
import type { Json } from './exact-json.js';
import type { GoldenAnswer } from './golden-answer.js';

const MEMBERS: Comparison = { optionalMembers: new Set(['$.hosts[].app']), depth: 'members' };
const FORM: Comparison = { ...MEMBERS, depth: 'form' };

function answer(fields: Partial<GoldenAnswer>): GoldenAnswer {
  return { status: 200, contentType: 'application/json', body: null, ...fields };
}

function paths(expected: GoldenAnswer, found: GoldenAnswer, comparison = MEMBERS, extraAllowed = false): string[] {
  return compareAnswer({ answer: expected, extraAllowed, note: undefined }, found, comparison).map(({ path }) => path);
}

it.each<[string, Json, Json, string[]]>([
  ['the same value', { a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] }, []],
  ['another value', { a: [1, { b: 'x' }] }, { a: [1, { b: 'y' }] }, ['$.a[1].b']],
  ['a missing member', { a: 1 }, {}, ['$.a']],
  ['a further member', {}, { a: 1 }, ['$.a']],
  ['a longer list', [1], [1, 2], ['$.length', '$[1]']],
  ['a shorter list', [1, 2], [1], ['$.length', '$[1]']],
  ['another type', { a: 1 }, { a: '1' }, ['$.a']],
  ['null for an object', { a: {} }, { a: null }, ['$.a']],
  ['a member that may vary', { a: '<varies>' }, { a: [1, 2] }, []],
  ['a member that may vary and is missing', { a: '<varies>' }, {}, []],
  ['any number', { a: '<number>' }, { a: 17 }, []],
  ['no number', { a: '<number>' }, { a: '17' }, ['$.a']],
  ['an optional member', { hosts: [{}] }, { hosts: [{ app: 'x' }] }, []],
  ['a missing optional member', { hosts: [{ app: 'x' }] }, { hosts: [{}] }, ['$.hosts[0].app']],
])('finds %s', (_, expected, found, differing) => {
  expect(paths(answer({ body: expected }), answer({ body: found }))).toEqual(differing);
});

it('lets further members pass where the expectation says so', () => {
  expect(paths(answer({ body: { a: 1 } }), answer({ body: { a: 1, b: 2 } }), MEMBERS, true)).toEqual([]);
  expect(paths(answer({ body: { a: 1 } }), answer({ body: { b: 2 } }), MEMBERS, true)).toEqual(['$.a']);
});

it('compares status and media type', () => {
  expect(paths(answer({}), answer({ status: 400 }))).toEqual(['status']);
  expect(paths(answer({ status: [400, 404] }), answer({ status: 404 }))).toEqual([]);
  expect(paths(answer({ status: '<varies>' }), answer({ status: 500 }))).toEqual([]);
  expect(paths(answer({}), answer({ contentType: 'text/plain' }))).toEqual(['contentType']);
  expect(paths(answer({}), answer({ contentType: 'Application/JSON;charset=UTF-8' }))).toEqual([]);
  expect(paths(answer({ contentType: '<varies>' }), answer({ contentType: null }))).toEqual([]);
});

it('takes no answer as a difference unless it may fail', () => {
  const none: GoldenAnswer = { status: 0, error: 'ECONNRESET' };
  expect(paths(answer({}), none)).toEqual(['request']);
  expect(paths(answer({ status: [400, 0] }), none)).toEqual([]);
  expect(paths(answer({ status: 0 }), answer({}))).toEqual([]);
});

it('compares charset, fractions, order and headers only in full depth', () => {
  const expected = answer({ body: { a: 1, b: 2 }, floats: ['$.a'], contentType: 'application/json;charset=UTF-8' });
  const found = answer({ body: { b: 2, a: 1 }, headersOfInterest: { connection: 'close' } });
  expect(paths(expected, found)).toEqual([]);
  expect(paths(expected, found, FORM)).toEqual([
    ...['contentType', '$.a', 'member order'],
    ...['headers.connection', 'headers.vary', 'headers.content-security-policy'],
  ]);
});
