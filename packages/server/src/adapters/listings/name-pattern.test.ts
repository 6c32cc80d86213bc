import { RegistryError } from '@rollcall/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NamePattern } from './name-pattern.js';

it.each<[string, string, boolean]>([
  ['', '', true],
  ['', 'abc', true],
  ['b', 'abc', true],
  ['^b', 'abc', false],
  ['^a', 'abc', true],
  ['c$', 'abc', true],
  ['b$', 'abc', false],
  ['^abc$', 'abc', true],
  ['^$', '', true],
  ['^$', 'a', false],
  ['p.y', 'pay-api', true],
  ['a.*i$', 'pay-api', true],
  ['ab+c', 'abbbc', true],
  ['ab+c', 'ac', false],
  ['ab?c', 'ac', true],
  ['[a-c]x', 'bx', true],
  ['[^a-c]x', 'bx', false],
  ['[]x]', ']', true],
  ['[a-]', '-', true],
  ['\\d\\.\\w\\s', '1.a ', true],
  ['a\\+b', 'a+b', true],
  ['PAY', 'pay', false],
  ['服', '服务', true],
])('"%s" in "%s": %s', (pattern, text, found) => {
  expect(new NamePattern(pattern).isIn(text)).toBe(found);
});

it.each(['*', '+a', 'a**', '(a)', 'a|b', 'a{2}', '\\', '\\b', '\\1', '[b-a]', 'a^b', '^*', 'a$b', ']'])(
  'refuses "%s"',
  (pattern) => {
    expect(() => new NamePattern(pattern)).toThrow(RegistryError);
  },
);

it('says what java.util.regex says of a set without end', () => {
  expect(() => new NamePattern('[')).toThrow('Unclosed character class near index 4\n.*[.*\n    ^');
});

describe('more parts than fit are refused', () => {
  it('when some of them may be left out or repeated', () => {
    expect(new NamePattern(`${'a'.repeat(29)}b*`).isIn('a'.repeat(40))).toBe(true);
    expect(() => new NamePattern(`${'a'.repeat(30)}b*`)).toThrow('found more than 30 parts, allowed are 30');
    expect(() => new NamePattern(`b*${'a'.repeat(30)}`)).toThrow('found more than 30 parts, allowed are 30');
  });

  it('when there are none of those: the longest name can be searched', () => {
    const name = `com.example.${'x'.repeat(500)}`;
    expect(new NamePattern(name).isIn(name)).toBe(true);
    expect(new NamePattern(name).isIn(name.replace('.', '-'))).toBe(true);
    expect(new NamePattern(name).isIn(name.replace('com', 'org'))).toBe(false);
    expect(() => new NamePattern(`${name}x`)).toThrow('found more than 512 parts, allowed are 30, and 512 without');
  });
});

describe('against the engine of the language', () => {
  const part = fc.tuple(fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w'), fc.constantFrom('', '*', '+', '?'));
  const pattern = fc
    .tuple(fc.constantFrom('', '^'), fc.array(part, { maxLength: 8 }), fc.constantFrom('', '$'))
    .map(([start, parts, end]) => start + parts.map((one) => one.join('')).join('') + end);
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 12 });

  it('finds the same', () => {
    fc.assert(
      fc.property(pattern, text, (source, searched) => {
        expect(new NamePattern(source).isIn(searched)).toBe(new RegExp(source, 's').test(searched));
      }),
      { numRuns: 2000 },
    );
  });

  const fixedPart = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\.', 'ab');
  const fixedPattern = fc
    .tuple(fc.constantFrom('', '^'), fc.array(fixedPart, { maxLength: 6 }), fc.constantFrom('', '$'))
    .map(([start, parts, end]) => start + parts.join('') + end);

  it('finds the same when nothing varies', () => {
    fc.assert(
      fc.property(fixedPattern, text, (source, searched) => {
        expect(new NamePattern(source).isIn(searched)).toBe(new RegExp(source, 's').test(searched));
      }),
      { numRuns: 2000 },
    );
  });

  it('is quick where that one is not', () => {
    const startedAt = performance.now();
    expect(new NamePattern(`${'a*'.repeat(29)}b`).isIn('a'.repeat(512))).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
