// Metadata as typed.

import { expect, it } from 'vitest';
import { collectKey, collectMetadata } from './metadata-argument.js';

it('collects entries; the last of a key counts, and only the first = separates', () => {
  const entries = ['a=1', 'b=', 'c=x=y', 'a=2'].reduce<Record<string, string>>(
    (all, entry) => collectMetadata(entry, all),
    {},
  );
  expect(entries).toEqual({ a: '2', b: '', c: 'x=y' });
});

it('takes __proto__ for a key', () => {
  expect(JSON.stringify(collectMetadata('__proto__=1'))).toBe('{"__proto__":"1"}');
});

it.each(['a', '=1', ''])('refuses %j', (entry) => {
  expect(() => collectMetadata(entry)).toThrow(`"${entry}"`);
});

it('collects keys', () => {
  expect(collectKey('b', collectKey('a'))).toEqual(['a', 'b']);
});
