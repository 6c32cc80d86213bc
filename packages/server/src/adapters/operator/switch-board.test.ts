// Durable changes of switches and those in memory, one after another.

import { DEFAULT_LIMITS } from '@rollcall/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SWITCHES, type Switches } from '../../core/switches.js';
import { CoreFixture, TESTER } from '../../testing/core-fixture.js';
import type { RegistryAccess } from '../registry-access.js';
import { SwitchBoard } from './switch-board.js';

let fixture: CoreFixture;
let stored: (Switches | undefined)[];
let board: SwitchBoard;

beforeEach(() => {
  fixture = new CoreFixture();
  stored = [];
  const registry: RegistryAccess = {
    core: fixture.core,
    now: () => fixture.clock.now(),
    step: (input) => fixture.step(input),
    commit: async (actor, plan) => {
      const changes = plan(fixture.core);
      for (const change of changes) if (change.type === 'switches') stored.push(change.value);
      fixture.step({ type: 'store', changes, actor });
    },
    afterJournal: (callback) => callback(),
    awaitSubscribers: () => Promise.reject(new Error('Nobody waits here')),
  };
  board = new SwitchBoard(registry);
});

const durably = (entry: string, value: string) => board.change({ entry, value, scope: 'durable' }, TESTER);
const inMemory = (entry: string, value: string) => board.change({ entry, value, scope: 'memory' }, TESTER);

describe('a durable change', () => {
  it('is stored and in force', async () => {
    await durably('clientBeatInterval', '6000');
    expect(stored).toEqual([{ ...DEFAULT_SWITCHES, clientBeatInterval: 6000 }]);
    expect(fixture.core.switches).toEqual(stored[0]);
  });

  it('of an unknown entry stores nothing', async () => {
    await durably('noSuchSwitch', '1');
    expect(stored).toEqual([]);
  });

  it('that is refused changes nothing', async () => {
    await expect(durably('clientBeatInterval', 'x')).rejects.toThrow('For input string: "x"');
    await expect(inMemory('clientBeatInterval', 'x')).rejects.toThrow('For input string: "x"');
    expect(stored).toEqual([]);
    expect(fixture.core.switches).toEqual(DEFAULT_SWITCHES);
  });
});

describe('a change in memory', () => {
  it('is in force and not stored, and so are those after it', async () => {
    await inMemory('clientBeatInterval', '6000');
    await inMemory('check', 'false');
    expect(stored).toEqual([]);
    expect(fixture.core.switches).toEqual({
      ...DEFAULT_SWITCHES,
      clientBeatInterval: 6000,
      healthCheckEnabled: false,
    });
  });

  it('ends with the next durable change and never becomes durable with it', async () => {
    await durably('clientBeatInterval', '6000');
    await inMemory('clientBeatInterval', '7000');
    await durably('defaultCacheMillis', '4000');
    const both = { ...DEFAULT_SWITCHES, clientBeatInterval: 6000, defaultCacheMillis: 4000 };
    expect(stored.at(-1)).toEqual(both);
    expect(fixture.core.switches).toEqual(both);
  });

  it('is no base for a change after somebody else changed the switches durably', async () => {
    await inMemory('clientBeatInterval', '7000');
    const byOthers = { ...DEFAULT_SWITCHES, checkTimes: 9 };
    fixture.step({ type: 'store', changes: [{ type: 'switches', value: byOthers }], actor: TESTER });
    await durably('defaultCacheMillis', '4000');
    expect(fixture.core.switches).toEqual({ ...byOthers, defaultCacheMillis: 4000 });
  });
});

it('a value longer than any text may be is refused', async () => {
  const allowed = DEFAULT_LIMITS.expressionLength;
  await durably('masters', 'a'.repeat(allowed));
  await expect(durably('masters', 'a'.repeat(allowed + 1))).rejects.toMatchObject({ code: 'limit-exceeded' });
  await expect(inMemory('masters', 'a'.repeat(allowed + 1))).rejects.toMatchObject({ code: 'limit-exceeded' });
});
