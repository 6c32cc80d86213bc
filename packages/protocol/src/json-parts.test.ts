import { describe, expect, it } from 'vitest';
import { JsonMembers } from './grpc/json-members.js';
import { checkJsonParts, JSON_PARTS_MAX } from './json-parts.js';

const refusal = 'JSON of the body has more than 250000 members and elements, allowed are 250000';
const check = (text: string) => () => checkJsonParts(text, 'the body');

describe('a JSON text', () => {
  it('with as many parts as are allowed is taken, with one more it is not', () => {
    const zeros = (count: number) => `[${'0,'.repeat(count - 1)}0]${' '.repeat(JSON_PARTS_MAX)}`;
    expect(check(zeros(JSON_PARTS_MAX))).not.toThrow();
    expect(check(zeros(JSON_PARTS_MAX + 1))).toThrow(refusal);
  });

  it.each([
    ['brackets', '['.repeat(JSON_PARTS_MAX + 1)],
    ['objects', `[${'{},'.repeat(JSON_PARTS_MAX / 2)}{}]`],
    ['members', `{${Array.from({ length: JSON_PARTS_MAX + 1 }, (_, n) => `"${n}":1`).join()}}`],
    ['behind a string with quotes', `{"a":"\\"\\\\","b":${'['.repeat(JSON_PARTS_MAX + 1)}`],
  ])('of too many %s is refused', (_, text) => {
    expect(check(text)).toThrow(refusal);
  });

  it('may have what looks like parts in its strings', () => {
    expect(check(`{"a":"${'\\",[{'.repeat(JSON_PARTS_MAX)}"}`)).not.toThrow();
    expect(check(`{"a":"${',[{'.repeat(JSON_PARTS_MAX)}`)).not.toThrow();
  });

  it('is refused before it is parsed when it is the body of a gRPC request', () => {
    const body = new TextEncoder().encode(`{"a":${'['.repeat(JSON_PARTS_MAX + 1)}`);
    expect(() => JsonMembers.ofBody(body)).toThrow(refusal);
  });
});
