import { ManualClock } from '@rollcall/runtime/testing';
import { expect, it } from 'vitest';
import { MemoryStore } from '../../testing/memory-store.js';
import { CountedStore } from './counted-store.js';

const NAMESPACE = { type: 'namespace', id: 'dev', value: { id: 'dev', name: 'dev', description: null } } as const;

it('counts commits, their changes, failures and time', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore();
  const counted = new CountedStore(
    {
      commit: (changes) => {
        clock.advance(3);
        return store.commit(changes);
      },
    },
    clock,
  );
  await counted.commit([NAMESPACE, NAMESPACE]);
  store.failure = 'disk full';
  await expect(counted.commit([NAMESPACE])).rejects.toThrow('disk full');
  expect(counted.counts).toEqual({ commits: 1, changes: 2, failures: 1, tookMs: 6 });
  expect([...store.load()]).toHaveLength(1);
});
