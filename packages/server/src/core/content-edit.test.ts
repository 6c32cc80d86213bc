import { expect, it } from 'vitest';
import { contentOf, metadataOf } from '../testing/core-fixture.js';
import { contentEdits } from './content-edit.js';

it('tells old and new value of every field that differs', () => {
  const before = contentOf({ weight: 1, metadata: metadataOf({ a: '1', b: '2', same: 'x' }) });
  const after = contentOf({ weight: 0, enabled: false, metadata: metadataOf({ b: '3', c: '4', same: 'x' }) });
  expect(contentEdits(before, after)).toEqual([
    { field: 'weight', from: '1', to: '0' },
    { field: 'enabled', from: 'true', to: 'false' },
    { field: 'metadata.a', from: '1', to: null },
    { field: 'metadata.b', from: '2', to: '3' },
    { field: 'metadata.c', from: null, to: '4' },
  ]);
  expect(contentEdits(before, before)).toEqual([]);
});

it('is bounded in fields and lengths', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, 'x'.repeat(1000)]));
  const edits = contentEdits(contentOf(), contentOf({ metadata: metadataOf(many) }));
  expect(edits).toHaveLength(16);
  expect(edits.every(({ to }) => to?.length === 64)).toBe(true);
});
