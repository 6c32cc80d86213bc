// Time, pauses, effects and the line of durable changes, on a manual clock.

import { DEFAULT_LIMITS, NO_METADATA, RegistryError, serviceKey } from '@rollcall/protocol';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommitOutcome } from '../adapters/store/durable-store.js';
import type { Actor } from '../core/actor.js';
import { SERVER } from '../core/actor.js';
import { DEFAULT_CORE_SETTINGS } from '../core/core-settings.js';
import { addressOf } from '../core/instance-address.js';
import type { JournalEntry } from '../core/journal-entry.js';
import type { RegistryEvent } from '../core/registry-event.js';
import type { StoreChange } from '../core/store-change.js';
import { DEFAULT_SWITCHES } from '../core/switches.js';
import { MemoryStore } from '../testing/memory-store.js';
import { RegistryRunner } from './registry-runner.js';

const SERVICE = serviceKey('public', 'DEFAULT_GROUP', 'orders');
const ADDRESS = addressOf('10.0.0.1', 8080, 'DEFAULT');
const CONTENT = { weight: 1, enabled: true, healthy: true, metadata: NO_METADATA, app: undefined };
const REGISTER = {
  type: 'register',
  service: SERVICE,
  address: ADDRESS,
  content: CONTENT,
  kindRule: 'mixed',
  actor: SERVER,
} as const;
const BEAT = { type: 'beat', service: SERVICE, address: ADDRESS, content: undefined, actor: SERVER } as const;

let clock: ManualClock;
let timers: ManualTimers;
let logger: RecordingLogger;
let journal: JournalEntry[];
let commits: StoreChange[][];
let store: WatchedStore;
let runner: RegistryRunner;
let events: RegistryEvent[];

/** Notes commits, and does something before each. */
class WatchedStore extends MemoryStore {
  before: (changes: readonly StoreChange[]) => unknown = () => undefined;

  override async commit(changes: readonly StoreChange[], actor: Actor): Promise<CommitOutcome> {
    const outcome = await this.before(changes);
    if (outcome === 'conflict') return outcome;
    commits.push([...changes]);
    return super.commit(changes, actor);
  }

  override laneOf(changes: readonly StoreChange[] = []) {
    return changes.some(({ type }) => type === 'switches') ? 'shared' : super.laneOf();
  }
}

beforeEach(() => {
  clock = new ManualClock();
  timers = new ManualTimers(clock);
  logger = new RecordingLogger();
  journal = [];
  commits = [];
  events = [];
  store = new WatchedStore();
  runner = new RegistryRunner({
    clock,
    timers,
    logger,
    settings: DEFAULT_CORE_SETTINGS,
    limits: DEFAULT_LIMITS,
    store,
    journal: { append: (entry) => void journal.push(entry), afterFlush: (callback) => callback() },
    push: () => undefined,
  });
  runner.onEvent((event) => void events.push(event));
  runner.start();
});

/** What happened to instances, with the manual clock's time at which it did. */
function timeline(): string[] {
  return events.filter((event) => event.type.startsWith('instance-')).map((event) => `${event.at.mono} ${event.type}`);
}

describe('time', () => {
  it('meets deadlines exactly, and only those of beats that stayed away', () => {
    runner.step(REGISTER);
    timers.advance(5000);
    runner.step(BEAT);
    timers.advance(40_000);
    expect(timeline()).toEqual(['0 instance-registered', '20000 instance-unhealthy', '35000 instance-removed']);
  });

  it('looks again when its timer fires early', () => {
    const early: (() => void)[] = [];
    const impatient = new RegistryRunner({
      clock,
      timers: {
        once: (_delayMs, callback) => {
          early.push(callback);
          return { cancel: () => undefined };
        },
        every: (intervalMs, callback) => timers.every(intervalMs, callback),
      },
      logger,
      settings: DEFAULT_CORE_SETTINGS,
      limits: DEFAULT_LIMITS,
      store: new MemoryStore(),
      journal: { append: () => undefined, afterFlush: (callback) => callback() },
      push: () => undefined,
    });
    impatient.onEvent((event) => void events.push(event));
    impatient.start();
    impatient.step(REGISTER);
    timers.advance(14_999);
    early.at(-1)?.();
    expect(timeline()).not.toContain('14999 instance-unhealthy');
    timers.advance(1);
    early.at(-1)?.();
    expect(timeline()).toContain('15000 instance-unhealthy');
  });

  it('needs no timer but its own and the heartbeat, whatever the number of instances', () => {
    for (let port = 1; port <= 100; port++) {
      runner.step({ ...REGISTER, address: addressOf('10.0.0.1', port, 'DEFAULT') });
    }
    expect(timers.size).toBe(2);
  });

  it('stops everything with stop', async () => {
    runner.step(REGISTER);
    await runner.stop();
    expect(timers.size).toBe(0);
    timers.advance(60_000);
    expect(timeline()).not.toContain('15000 instance-unhealthy');
  });
});

describe('a suspended process', () => {
  it('moves the leases by the pause before anything that became due meanwhile happens', () => {
    runner.step(REGISTER);
    timers.advance(4000);
    timers.suspend(20_000);
    timers.advance(30_000);
    // The heartbeat was due at 4500 and came at 24000: the leases moved by 19500.
    expect(timeline().slice(1)).toEqual(['34500 instance-unhealthy', '49500 instance-removed']);
    expect(logger.lines).toContainEqual({ level: 'warn', event: 'process-paused', fields: { ms: 19_500 } });
  });

  it('is noticed by a request that comes in before the late heartbeat', () => {
    runner.step(REGISTER);
    timers.advance(4000);
    clock.advance(20_000);
    expect(runner.step(BEAT)).toMatchObject({ known: true });
    expect(timeline().slice(1)).toEqual([]);
    expect(logger.events).toEqual(['process-paused']);
    timers.advance(15_000);
    expect(timeline().slice(1)).toEqual(['39000 instance-unhealthy']);
  });

  it('is not assumed after a busy second', () => {
    runner.step(REGISTER);
    timers.suspend(1500);
    timers.advance(20_000);
    expect(timeline()).toContain('15000 instance-unhealthy');
    expect(logger.events).toEqual([]);
  });

  it('is not assumed while steps go on', () => {
    runner.step(REGISTER);
    for (let i = 0; i < 20; i++) {
      clock.advance(100);
      runner.step(BEAT);
    }
    timers.advance(15_000);
    expect(timeline()).toContain('17000 instance-unhealthy');
  });
});

describe('effects', () => {
  it('journals before the step returns', () => {
    runner.step(REGISTER);
    expect(journal.map((entry) => entry.type)).toEqual(['registered']);
  });

  it('keeps the order of steps when a listener makes a step', () => {
    const other = addressOf('10.0.0.2', 1, 'DEFAULT');
    const end = runner.onEvent((event) => {
      if (event.type !== 'instance-registered') return;
      end();
      runner.step({ ...REGISTER, address: other });
    });
    runner.step(REGISTER);
    expect(journal.map((entry) => 'address' in entry && entry.address.ip)).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  it('logs a listener that fails and goes on', () => {
    runner.onEvent((event) => {
      if (event.type === 'instance-registered') throw new Error('broken');
    });
    runner.step(REGISTER);
    expect(logger.events).toEqual(['event-listener-failed']);
    expect(journal).toHaveLength(1);
  });

  it('tells who waits for subscribers', async () => {
    runner.step(REGISTER);
    expect(await runner.awaitSubscribers(SERVICE, 1000)).toMatchObject({ acknowledged: 0, pending: 0 });
  });
});

describe('durable changes', () => {
  const namespace = (id: string): StoreChange => ({
    type: 'namespace',
    id,
    value: { id, name: id, description: '' },
  });

  it('are written first and enter the core afterwards', async () => {
    let release = () => undefined as unknown;
    store.before = () => new Promise((resolve) => (release = () => resolve(undefined)));
    const done = runner.commit(SERVER, () => [namespace('a')]);
    await Promise.resolve();
    await Promise.resolve();
    expect(runner.core.namespaces.has('a')).toBe(false);
    release();
    await done;
    expect(runner.core.namespaces.has('a')).toBe(true);
  });

  it('are planned one after another, each on what the one before left', async () => {
    const plan = (id: string) => () =>
      runner.core.namespaces.has('a') ? [namespace(`${id}-second`)] : [namespace('a')];
    await Promise.all([runner.commit(SERVER, plan('x')), runner.commit(SERVER, plan('y'))]);
    expect([...runner.core.namespaces.keys()]).toEqual(['a', 'y-second']);
  });

  it('change nothing when the store refuses, and the next one is planned all the same', async () => {
    store.before = () => Promise.reject(new RegistryError('storage-failed', 'disk full'));
    await expect(runner.commit(SERVER, () => [namespace('a')])).rejects.toThrow('disk full');
    expect(runner.core.namespaces.size).toBe(0);
    store.before = () => undefined;
    await runner.commit(SERVER, () => [namespace('b')]);
    expect([...runner.core.namespaces.keys()]).toEqual(['b']);
  });

  it('are planned again when another node was first', async () => {
    const other = { ...DEFAULT_SWITCHES, checkTimes: 7 };
    store.before = () => {
      store.before = () => undefined;
      runner.step({ type: 'store', changes: [{ type: 'switches', value: other }], actor: SERVER });
      return 'conflict';
    };
    await runner.commit(SERVER, (core) => [{ type: 'switches', value: { ...core.switches, pushEnabled: false } }]);
    expect(runner.core.switches).toEqual({ ...other, pushEnabled: false });
  });

  it('are refused when other nodes are first again and again', async () => {
    let plans = 0;
    store.before = () => 'conflict';
    const done = runner.commit(SERVER, () => {
      plans += 1;
      return [{ type: 'switches', value: DEFAULT_SWITCHES }];
    });
    await expect(done).rejects.toMatchObject({ code: 'overloaded' });
    // Once to learn the lane, then ten times in it.
    expect(plans).toBe(11);
  });

  it('of this server do not wait for those that all nodes share', async () => {
    let release = () => undefined as unknown;
    store.before = ([change]) =>
      change?.type === 'switches' ? new Promise((resolve) => (release = () => resolve(undefined))) : undefined;
    const shared = runner.commit(SERVER, () => [{ type: 'switches', value: DEFAULT_SWITCHES }]);
    await runner.commit(SERVER, () => [namespace('a')]);
    expect(commits).toEqual([[namespace('a')]]);
    release();
    await shared;
    expect(commits).toHaveLength(2);
  });

  it('that refuse because of one that waits are asked again after it', async () => {
    const plan = () => {
      if (runner.core.switches.checkTimes !== 9) throw new RegistryError('not-found', 'too early');
      return [];
    };
    const shared = runner.commit(SERVER, () => [{ type: 'switches', value: { ...DEFAULT_SWITCHES, checkTimes: 9 } }]);
    await Promise.all([shared, runner.commit(SERVER, plan)]);
  });

  it('are refused when too many wait', async () => {
    store.before = () => new Promise(() => undefined);
    for (let i = 0; i < 10_000; i++) void runner.commit(SERVER, () => [namespace('a')]);
    await expect(runner.commit(SERVER, () => [])).rejects.toMatchObject({ code: 'overloaded' });
  });

  it('end with stop only when all are written', async () => {
    const done = runner.commit(SERVER, () => [namespace('a')]);
    await runner.stop();
    expect(runner.core.namespaces.has('a')).toBe(true);
    await done;
  });
});

describe('forgotten edits', () => {
  const edit = (weight: number): StoreChange => ({
    type: 'edit',
    service: SERVICE,
    kind: 'ephemeral',
    address: ADDRESS,
    value: { weight },
  });

  it('leave the store after their time', async () => {
    runner.step(REGISTER);
    await runner.commit(SERVER, () => [edit(3)]);
    runner.step({ type: 'deregister', service: SERVICE, address: ADDRESS, actor: SERVER });
    timers.advance(60_000);
    await runner.stop();
    expect(commits.at(-1)).toEqual([{ ...edit(3), value: undefined }]);
  });

  it('stay when the same instance was edited anew meanwhile', async () => {
    runner.step(REGISTER);
    await runner.commit(SERVER, () => [edit(3)]);
    runner.step({ type: 'deregister', service: SERVICE, address: ADDRESS, actor: SERVER });
    timers.advance(59_999);
    const again = runner.commit(SERVER, () => [edit(4)]);
    timers.advance(1);
    await again;
    await runner.stop();
    expect(commits.at(-1)).toEqual([edit(4)]);
  });
});
