import { ManualClock } from '@rollcall/runtime/testing';
import { expect, it } from 'vitest';
import { SERVER } from '../../core/actor.js';
import { MemoryStore } from '../../testing/memory-store.js';
import { CountedStore } from './counted-store.js';

const NAMESPACE = { type: 'namespace', id: 'dev', value: { id: 'dev', name: 'dev', description: null } } as const;

it('counts commits, their changes, conflicts, failures and time', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore();
  const counted = new CountedStore(
    {
      follow: (listener) => store.follow(listener),
      laneOf: () => 'local',
      commit: (changes, actor) => {
        clock.advance(3);
        return changes.length === 3 ? Promise.resolve('conflict') : store.commit(changes, actor);
      },
    },
    clock,
  );
  expect(await counted.commit([NAMESPACE, NAMESPACE], SERVER)).toBe('written');
  expect(await counted.commit([NAMESPACE, NAMESPACE, NAMESPACE], SERVER)).toBe('conflict');
  store.failure = 'disk full';
  await expect(counted.commit([NAMESPACE], SERVER)).rejects.toThrow('disk full');
  expect(counted.counts).toEqual({ commits: 1, changes: 2, failures: 1, conflicts: 1, tookMs: 9 });
  expect([...store.load()]).toHaveLength(1);
});
