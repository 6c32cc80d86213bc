import { expect, test } from 'vitest';
import { lmdbKey } from './lmdb-key.js';

test('a key that LMDB takes stays as it is', () => {
  expect(lmdbKey('edit/["public"]').toString()).toBe('edit/["public"]');
});

test('a key that is too long becomes a short one of its own, among its kind', () => {
  const [one, other] = ['x'.repeat(5000), 'x'.repeat(5001)].map((name) => lmdbKey(`edit/["${name}"]`).toString());
  expect(one).toMatch(/^edit\/sha256:[0-9a-f]{64}$/);
  expect(other).not.toBe(one);
});
