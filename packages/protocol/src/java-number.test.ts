import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  javaDoubleText,
  javaFloatText,
  jsonDouble,
  jsonFloat,
  parseJavaDouble,
  parseJavaFloat,
  parseJavaInt,
} from './java-number.js';

describe('parseJavaDouble', () => {
  test.each([
    ['1', 1],
    ['-1.5', -1.5],
    ['+2', 2],
    ['1.', 1],
    ['.5', 0.5],
    ['1e2', 100],
    ['1E-2', 0.01],
    ['2d', 2],
    ['2.5F', 2.5],
    [' 3 ', 3],
    ['008', 8],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['1e999', Number.POSITIVE_INFINITY],
  ])('%j is %d', (text, value) => {
    expect(parseJavaDouble(text)).toBe(value);
  });

  test('reads NaN', () => {
    expect(parseJavaDouble('NaN')).toBeNaN();
  });

  test.each(['', 'abc', '1,5', '0x10', '1e', '.', 'nan', 'infinity', '1dd', '--1', '1 2', '1_000'])(
    '%j is no number',
    (text) => {
      expect(parseJavaDouble(text)).toBeUndefined();
    },
  );
});

describe('a long text that is no number', () => {
  // A pattern that gives characters back in more than one way would take hours.
  test.each(['0', '0.0', '.0', '1e0', '+', ' ', 'Infinity'])('is refused at once: %j and so on', (start) => {
    const zeros = `${start}${'0'.repeat(4_000_000)}x`;
    expect(parseJavaDouble(zeros)).toBeUndefined();
    expect(parseJavaInt(zeros)).toBeUndefined();
  });
});

describe('parseJavaInt', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['008080', 8080],
    ['+7', 7],
    ['2147483647', 2147483647],
    ['-2147483648', -2147483648],
  ])('%j is %d', (text, value) => {
    expect(parseJavaInt(text)).toBe(value);
  });

  test.each(['', ' 1', '1.0', '2147483648', '-2147483649', '99999999999', 'abc', '1e3', '٣'])('%j is none', (text) => {
    expect(parseJavaInt(text)).toBeUndefined();
  });
});

describe('javaDoubleText', () => {
  test.each([
    [1, '1.0'],
    [0, '0.0'],
    [-0, '-0.0'],
    [0.01, '0.01'],
    [100, '100.0'],
    [1234.5, '1234.5'],
    [10000, '10000.0'],
    [9999999, '9999999.0'],
    [1e7, '1.0E7'],
    [1e10, '1.0E10'],
    [1.5e-7, '1.5E-7'],
    [0.001, '0.001'],
    [0.0001, '1.0E-4'],
    [0.123456789012345, '0.123456789012345'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ])('%d prints as %s', (value, text) => {
    expect(javaDoubleText(value)).toBe(text);
  });

  test('reads back as the same number and always shows a fraction', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = javaDoubleText(value);
        expect(text).toMatch(/^-?\d+\.\d+(E-?\d+)?$/);
        expect(Object.is(parseJavaDouble(text), value)).toBe(true);
      }),
    );
  });
});

describe('javaFloatText', () => {
  test.each([
    [0.8, '0.8'],
    [Math.fround(0.1), '0.1'],
    [0, '0.0'],
    [-1, '-1.0'],
    [0.7, '0.7'],
    [3.4028234663852886e38, '3.4028235E38'],
  ])('%d prints as %s', (value, text) => {
    expect(javaFloatText(value)).toBe(text);
  });

  test('reads back as the same float', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseJavaFloat(javaFloatText(value))).toBe(value + 0);
      }),
    );
  });
});

test('numbers that JSON has no word for become strings', () => {
  expect(jsonDouble(Number.NaN)).toBe('"NaN"');
  expect(jsonDouble(2)).toBe('2.0');
  expect(jsonFloat(Number.POSITIVE_INFINITY)).toBe('"Infinity"');
  expect(jsonFloat(0.6)).toBe('0.6');
});
