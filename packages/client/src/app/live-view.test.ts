import { serviceKey } from '@rollcall/protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Instance, NO_INSTANCE_METADATA } from '../core/instance.js';
import { mergeInstances } from '../core/instance-change.js';
import { DEFAULT_STRATEGY, LiveView } from './live-view.js';
import type { ViewEvent } from './view-event.js';

const SERVICE = serviceKey('public', 'G', 's');

function instance(ip: string, members: Partial<Instance> = {}): Instance {
  return {
    id: '',
    ip,
    port: 80,
    cluster: 'A',
    weight: 1,
    healthy: true,
    enabled: true,
    ephemeral: true,
    metadata: NO_INSTANCE_METADATA,
    ...members,
  };
}

function setUp(clusters: string[] = []) {
  const failures: unknown[] = [];
  let closed = 0;
  const view = new LiveView({
    service: SERVICE,
    clusters,
    strategy: DEFAULT_STRATEGY,
    closed: () => closed++,
    listenerFailed: (error) => failures.push(error),
  });
  let list: readonly Instance[] = [];
  const show = (...next: Instance[]): void => {
    const merged = mergeInstances(list, next);
    list = merged.instances;
    view.take(list, merged.change, 'server');
  };
  return { view, show, failures, closedTimes: () => closed };
}

const summary = ({ added, removed, modified }: ViewEvent) =>
  [added, removed, modified].map((part) => part.map(({ ip }) => ip).join('')).join('/');

describe('listeners', () => {
  test('one that throws or rejects is reported and breaks nobody else', async () => {
    const { view, show, failures } = setUp();
    const seen: string[] = [];
    view.onChange(() => {
      throw new Error('first');
    });
    view.onChange(() => Promise.reject(new Error('second')));
    view.onChange((event) => void seen.push(summary(event)));
    show(instance('a'));
    await Promise.resolve();
    expect(seen).toEqual(['a//']);
    expect(failures.map(String)).toEqual(['Error: first', 'Error: second']);
  });

  test('get the current list first, later, each once; the same function counts once', async () => {
    const { view, show } = setUp();
    show(instance('a'));
    const seen: string[] = [];
    const listener = (event: ViewEvent) => void seen.push(summary(event));
    view.onChange(listener);
    view.onChange(listener);
    expect(seen).toEqual([]);
    await Promise.resolve();
    show(instance('a'), instance('b'));
    expect(seen).toEqual(['a//', 'b//']);
  });

  test('BR-101 are never told the list of before after the one of now', async () => {
    const { view, show } = setUp();
    show(instance('a'));
    const seen: string[] = [];
    const end = view.onChange((event) => void seen.push(summary(event)));
    show(instance('b'));
    await Promise.resolve();
    expect(seen).toEqual(['b//']);
    end();
    view.onChange((event) => void seen.push(summary(event)));
    show();
    await Promise.resolve();
    expect(seen).toEqual(['b//']);
  });

  test('end without ending the others', () => {
    const { view, show } = setUp();
    const seen: string[] = [];
    const end = view.onChange(() => void seen.push('one'));
    view.onChange(() => void seen.push('two'));
    end();
    show(instance('a'));
    expect(seen).toEqual(['two']);
  });
});

describe('clusters', () => {
  test('only changes of the own ones are seen, and only their instances chosen', async () => {
    const { view, show } = setUp(['B', 'C']);
    const seen: string[] = [];
    view.onChange((event) => void seen.push(summary(event)));
    show(instance('a'));
    expect(await view.ready).toEqual([]);
    show(instance('a'), instance('b', { cluster: 'B' }));
    show(instance('a', { weight: 2 }), instance('b', { cluster: 'B' }));
    expect(seen).toEqual(['b//']);
    expect(view.select()?.ip).toBe('b');
  });
});

describe('select', () => {
  test('BR-130 never gives what is unhealthy, disabled, without weight, or gone', () => {
    const { view, show } = setUp();
    expect(view.select()).toBeUndefined();
    show(instance('a', { healthy: false }), instance('b', { enabled: false }), instance('c', { weight: 0 }));
    expect(view.select()).toBeUndefined();
    show(instance('d'), instance('e'));
    view.select();
    show(instance('e'));
    for (let i = 0; i < 100; i++) expect(view.select()?.ip).toBe('e');
  });

  test('takes a strategy of the caller, prepared once per list', () => {
    const { view, show } = setUp();
    show(instance('a'), instance('b'));
    let prepared = 0;
    const last = (list: readonly Instance[]) => {
      prepared++;
      return () => list.at(-1);
    };
    for (let i = 0; i < 10; i++) expect(view.select({ strategy: last })?.ip).toBe('b');
    show(instance('c'));
    expect(view.select({ strategy: last })?.ip).toBe('c');
    expect(prepared).toBe(2);
  });

  test('keeps few strategies of a caller who makes one per call', () => {
    const { view, show } = setUp();
    show(instance('a'));
    for (let i = 0; i < 1000; i++) expect(view.select({ strategy: () => () => view.instances[0] })?.ip).toBe('a');
  });
});

describe('iteration', () => {
  test('gives the current list, then each change; a slow reader gets them joined', async () => {
    const { view, show } = setUp();
    show(instance('a'));
    const changes = view[Symbol.asyncIterator]();
    expect(summary((await changes.next()).value as ViewEvent)).toBe('a//');
    show(instance('a'), instance('b'), instance('x'));
    show(instance('b', { weight: 2 }), instance('c'), instance('x'));
    show(instance('a', { weight: 3 }), instance('b', { weight: 2 }), instance('c'));
    const { value } = await changes.next();
    expect(summary(value as ViewEvent)).toBe('bc//a');
    expect(value?.instances.map(({ ip }) => ip)).toEqual(['a', 'b', 'c']);
    const next = changes.next();
    view.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('ends when the reader leaves, and when the view is closed before', async () => {
    const { view, show } = setUp();
    show(instance('a'));
    for await (const event of view) {
      expect(event.instances).toHaveLength(1);
      break;
    }
    view.close();
    const rest: ViewEvent[] = [];
    for await (const event of view) rest.push(event);
    expect(rest).toHaveLength(1);
  });
});

test('closing is done once, makes ready reject, and ends everything', async () => {
  const { view, show, closedTimes } = setUp();
  const seen: string[] = [];
  view.onChange(() => void seen.push('x'));
  view.close();
  view.close();
  expect(closedTimes()).toBe(1);
  await expect(view.ready).rejects.toMatchObject({ code: 'closed' });
  show(instance('a'));
  expect(seen).toEqual([]);
  expect(view.instances).toEqual([]);
});

describe('bounds', () => {
  function bounded(bounds: { signal?: AbortSignal; deadlineMs?: number }) {
    let closed = 0;
    const view = new LiveView({
      service: SERVICE,
      clusters: [],
      strategy: DEFAULT_STRATEGY,
      bounds,
      closed: () => closed++,
      listenerFailed: () => {},
    });
    return { view, closedTimes: () => closed };
  }

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('without a list until its deadline a view is closed, and says so', async () => {
    const { view, closedTimes } = bounded({ deadlineMs: 300 });
    vi.advanceTimersByTime(299);
    expect(closedTimes()).toBe(0);
    vi.advanceTimersByTime(1);
    await expect(view.ready).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: 'The view of "G@@s" had no list within 300 ms',
    });
    expect(closedTimes()).toBe(1);
    expect(view.isReady).toBe(false);
  });

  test('with a list the deadline is over, and so it is when the view is closed', async () => {
    const [listed, closed] = [bounded({ deadlineMs: 300 }), bounded({ deadlineMs: 300 })];
    listed.view.take([], undefined, 'server');
    closed.view.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(await listed.view.ready).toEqual([]);
    await expect(closed.view.ready).rejects.toMatchObject({ code: 'closed' });
  });

  test('a signal closes the view, also one that was aborted before, and a closed view leaves it', async () => {
    const abort = new AbortController();
    const left = vi.spyOn(abort.signal, 'removeEventListener');
    const [one, other] = [bounded({ signal: abort.signal }), bounded({ signal: abort.signal })];
    one.view.close();
    expect(left).toHaveBeenCalledTimes(1);
    abort.abort(new Error('enough'));
    await expect(other.view.ready).rejects.toMatchObject({ code: 'aborted', cause: new Error('enough') });
    expect([one.closedTimes(), other.closedTimes()]).toEqual([1, 1]);
    const late = bounded({ signal: abort.signal });
    await expect(late.view.ready).rejects.toMatchObject({ code: 'aborted' });
    expect(late.closedTimes()).toBe(1);
  });
});
