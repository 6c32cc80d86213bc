import { describe, expect, test } from 'vitest';
import { Parameters } from '../parameters.js';
import { refusalOf } from '../refusal.test-support.js';
import { TypedParameters } from './typed-parameters.js';

const typed = (query: string, source: 'form' | 'request' = 'form') =>
  new TypedParameters(new Parameters(query), source);

test('absent, empty and blank values are missing', () => {
  for (const query of ['', 'a=', 'a=%20']) {
    expect(typed(query).text('a')).toBeUndefined();
    expect(typed(query).int('a')).toBeUndefined();
    expect(typed(query).double('a')).toBeUndefined();
    expect(typed(query).float('a')).toBeUndefined();
    expect(typed(query).boolean('a')).toBeUndefined();
  }
});

test('texts stay as sent, numbers and booleans are trimmed', () => {
  const parameters = typed('text=%20x&int=%20-7&double=2.5%20&float=0.3&yes=ON&no=0');
  expect(parameters.text('text')).toBe(' x');
  expect(parameters.int('int')).toBe(-7);
  expect(parameters.double('double')).toBe(2.5);
  expect(parameters.float('float')).toBe(Math.fround(0.3));
  expect(parameters.boolean('yes')).toBe(true);
  expect(parameters.boolean('no')).toBe(false);
});

describe('what is missing is named as the real servers name it', () => {
  test.each([
    ['String', (parameters: TypedParameters) => parameters.requiredText('a')],
    ['Integer', (parameters: TypedParameters) => parameters.requiredInt('a')],
    ['Double', (parameters: TypedParameters) => parameters.requiredDouble('a')],
    ['Boolean', (parameters: TypedParameters) => parameters.requiredBoolean('a')],
  ])('%s', (type, read) => {
    expect(refusalOf(() => read(typed('')))).toBe(
      `missing-parameter: Required parameter 'a' type ${type} is not present`,
    );
    expect(refusalOf(() => read(typed('', 'request')))).toBe(
      `missing-parameter: Required request parameter 'a' for method parameter type ${type} is not present`,
    );
  });
});

test.each([
  ['port=x', (parameters: TypedParameters) => parameters.int('port')],
  ['port=1.5', (parameters: TypedParameters) => parameters.int('port')],
  ['port=2147483648', (parameters: TypedParameters) => parameters.int('port')],
  ['port=x', (parameters: TypedParameters) => parameters.double('port')],
  ['port=NaN', (parameters: TypedParameters) => parameters.float('port')],
  ['port=maybe', (parameters: TypedParameters) => parameters.boolean('port')],
])('%s cannot be bound', (query, read) => {
  expect(refusalOf(() => read(typed(query)))).toMatch(
    /^invalid-parameter: Param 'port' is illegal, found ".+", allowed are /,
  );
});

test('a long text is not quoted whole', () => {
  expect(refusalOf(() => typed(`a=${'x'.repeat(5000)}`).int('a')).length).toBeLessThan(400);
});
