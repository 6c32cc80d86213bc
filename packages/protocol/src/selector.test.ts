import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from './limits.js';
import { refusalOf } from './refusal.test-support.js';
import { parseSelector, parseServiceListSelector, selectorJson } from './selector.js';

const parse = (text: string) => parseSelector(text, DEFAULT_LIMITS);
const label = (expression: string): string => JSON.stringify({ type: 'label', expression });

describe('selector of a service', () => {
  test.each(['', ' ', '{"type":"none"}', '{"type":"none","expression":"x"}', '%7B%22type%22%3A%22none%22%7D'])(
    '%j is none',
    (text) => {
      expect(parse(text)).toEqual({ type: 'none' });
    },
  );

  test.each([
    ['CONSUMER.label.A=PROVIDER.label.A &CONSUMER.label.B=PROVIDER.label.B', ['A', 'B']],
    [' CONSUMER.label.a = PROVIDER.label.a ', ['a']],
    ['CONSUMER.label.a=PROVIDER.label.a&CONSUMER.label.a=PROVIDER.label.a', ['a']],
    ['', []],
    ['  ', []],
  ])('label expression %j names %j', (expression, labels) => {
    expect(parse(label(expression))).toEqual({ type: 'label', expression, labels });
  });

  test.each([
    'a',
    'CONSUMER.label.a',
    'CONSUMER.label.a=PROVIDER.label.b',
    'PROVIDER.label.a=CONSUMER.label.a',
    'CONSUMER.label.=PROVIDER.label.',
    'CONSUMER.label.a=PROVIDER.label.a&',
    'CONSUMER.label.a=PROVIDER.label.a=x',
  ])('label expression %j is refused', (expression) => {
    expect(refusalOf(() => parse(label(expression)))).toBe('invalid-selector: parse expression failed!');
  });

  test.each([
    '{"type":"unknown"}',
    '{"type":"xyz"}',
    '{"type":"LABEL","expression":""}',
    '{"expression":"a"}',
    '{"__proto__":{"type":"none"}}',
  ])('%j has no known type', (text) => {
    expect(refusalOf(() => parse(text))).toBe('invalid-selector: not match any type of selector!');
  });

  test.each(['junk', '[]', 'null', '1', '%zz', '{"type":'])('%j is no selector', (text) => {
    expect(refusalOf(() => parse(text))).toBe(
      'invalid-selector: selector is illegal, it should be a JSON object such as {"type":"none"}',
    );
  });

  test('a label selector needs an expression, and not an endless one', () => {
    expect(refusalOf(() => parse('{"type":"label"}'))).toContain('has no expression');
    expect(refusalOf(() => parse(label('x'.repeat(20_000))))).toContain(
      'too long, found 20000 characters, allowed are 4096',
    );
  });

  test('shows what was set', () => {
    expect(selectorJson(parse(''))).toBe('{"type":"none"}');
    expect(selectorJson(parse(label('CONSUMER.label.a = PROVIDER.label.a')))).toBe(
      '{"type":"label","expression":"CONSUMER.label.a = PROVIDER.label.a","labels":["a"]}',
    );
  });
});

describe('selector of a listing', () => {
  const list = (text: string) => parseServiceListSelector(text, DEFAULT_LIMITS);

  test.each([
    ["INSTANCE.metadata.env = 'x'", { type: 'metadata', of: 'instance', key: 'env', value: 'x' }],
    ["SERVICE.metadata.a.b='y=z'", { type: 'metadata', of: 'service', key: 'b', value: 'y=z' }],
    ['INSTANCE.metadata.env = x', { type: 'metadata', of: 'instance', key: 'env', value: 'x' }],
    ["OTHER.env = 'x'", { type: 'none' }],
  ])('%j', (expression, selector) => {
    expect(list(label(expression))).toEqual(selector);
  });

  test('none shows everything', () => {
    expect(list('')).toEqual({ type: 'none' });
    expect(list('{"type":"none"}')).toEqual({ type: 'none' });
  });

  test.each(['junk', '{"type":"x"}', '{"type":"label"}', label('no equal sign')])('%j is refused', (text) => {
    expect(refusalOf(() => list(text))).toMatch(/^invalid-selector: /);
  });
});
