import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseExactJson } from './exact-json.js';

it('tells numbers with a fraction from integers', () => {
  const { value, floats } = parseExactJson('{"hosts":[{"weight":1.0,"port":1},{"weight":1e2}],"n":0.5}');
  expect(value).toEqual({ hosts: [{ weight: 1, port: 1 }, { weight: 100 }], n: 0.5 });
  expect(floats).toEqual(['$.hosts[].weight', '$.n']);
});

it('tells members written twice', () => {
  expect(parseExactJson('{"a":{"b":1,"b":2},"c":3}')).toEqual({
    value: { a: { b: 2 }, c: 3 },
    floats: [],
    twice: ['$.a.b'],
  });
});

it('keeps integers that a double cannot hold apart', () => {
  expect(parseExactJson('9223372036854775807').value).toBe('<integer 9223372036854775807>');
});

it('takes __proto__ as a member like any other', () => {
  const { value } = parseExactJson('{"__proto__":1}');
  expect(Object.keys(value as object)).toEqual(['__proto__']);
});

it.each(['', '{', '{"a"}', '[1,]', '[1 2]', '"a', '01x', '{"a":1}}', 'nul'])('refuses %j', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});

it('reads what JSON.parse reads', () => {
  const isExact = (_: string, value: unknown) => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error('not exact');
    return value;
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      try {
        JSON.parse(text, isExact);
      } catch {
        return;
      }
      expect(parseExactJson(` ${text}\n`).value).toEqual(JSON.parse(text));
    }),
  );
});
