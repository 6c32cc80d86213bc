import { getEventListeners } from 'node:events';
import { serviceKey } from '@rollcall/protocol';
import { expect, test } from 'vitest';
import { DEFAULT_STRATEGY } from './live-view.js';
import { ViewTable } from './view-table.js';

function setUp() {
  const calls: string[] = [];
  const table = new ViewTable({
    follow: ({ name }) => void calls.push(`follow ${name}`),
    unfollow: ({ name }) => void calls.push(`unfollow ${name}`),
    listenerFailed: () => {},
  });
  const open = (signal?: AbortSignal) =>
    table.open({
      service: serviceKey('public', 'G', 's'),
      clusters: [],
      strategy: DEFAULT_STRATEGY,
      bounds: { signal },
    });
  return { calls, open };
}

test('BR-103 the first view of a service follows it, the last one that is closed ends that', () => {
  const { calls, open } = setUp();
  const views = [open(), open(), open()];
  for (const view of views.slice(0, 2)) view.close();
  expect(calls).toEqual(['follow s']);
  views[2]?.close();
  expect(calls).toEqual(['follow s', 'unfollow s']);
});

test('BR-154 a signal that outlives a thousand views keeps none of them, and closes those that are open', async () => {
  const { calls, open } = setUp();
  const controller = new AbortController();
  for (let i = 0; i < 1000; i++) open(controller.signal).close();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  open(controller.signal);
  controller.abort();
  expect(calls.slice(-2)).toEqual(['follow s', 'unfollow s']);
  open(controller.signal);
  await Promise.resolve();
  expect(calls.slice(-2)).toEqual(['follow s', 'unfollow s']);
});
