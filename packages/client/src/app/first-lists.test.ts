import { serviceKey } from '@rollcall/protocol';
import { ManualClock, ManualTimers } from '@rollcall/runtime/testing';
import { expect, test } from 'vitest';
import { FirstLists } from './first-lists.js';
import { DEFAULT_STRATEGY, LiveView } from './live-view.js';
import { Operations } from './operations.js';

function setUp() {
  const timers = new ManualTimers(new ManualClock());
  const lists = new FirstLists(new Operations(timers));
  const view = new LiveView({
    service: serviceKey('public', 'G', 's'),
    clusters: [],
    strategy: DEFAULT_STRATEGY,
    closed: () => {},
    listenerFailed: () => {},
  });
  const wait = (signal?: AbortSignal) =>
    lists.wait(view, { what: 'Waiting', deadlineMs: 100, signal, lastFailure: () => undefined });
  return { timers, lists, view, wait };
}

test('BR-154 who gives up leaves nothing behind, and the list reaches who still waits', async () => {
  const { timers, lists, view, wait } = setUp();
  const late = Array.from({ length: 1000 }, () => wait().catch(({ code }) => code));
  const abort = new AbortController();
  const aborted = wait(abort.signal).catch(({ code }) => code);
  abort.abort();
  timers.advance(100);
  expect(new Set(await Promise.all(late))).toEqual(new Set(['deadline-exceeded']));
  expect(await aborted).toBe('aborted');
  expect(lists.countOf(view)).toBe(0);
  const still = wait();
  view.take([], undefined, 'server');
  await still;
  await wait();
  expect(lists.countOf(view)).toBe(0);
});

test('a view that is closed before its first list ends the waiting', async () => {
  const { view, wait } = setUp();
  const waiting = wait();
  view.close();
  await expect(waiting).rejects.toMatchObject({ code: 'closed' });
});
