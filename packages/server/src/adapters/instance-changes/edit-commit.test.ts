// Edits while other changes come between their plan and their effect.

import { DEFAULT_LIMITS, serviceKey } from '@rollcall/protocol';
import { ManualClock } from '@rollcall/runtime/testing';
import { beforeEach, expect, it } from 'vitest';
import { DEFAULT_CORE_SETTINGS } from '../../core/core-settings.js';
import { planUpdate } from '../../core/edit-plan.js';
import { addressOf } from '../../core/instance-address.js';
import { RegistryCore } from '../../core/registry-core.js';
import type { RegistryInput, ResultOf } from '../../core/registry-input.js';
import type { RegistryAccess } from '../registry-access.js';
import { commitEdits } from './edit-commit.js';

const ACTOR = { via: 'operator' } as const;
const SERVICE = serviceKey('public', 'DEFAULT_GROUP', 'orders');
const ADDRESS = addressOf('10.0.0.1', 8080, 'DEFAULT');

let duringWrite: () => void;
let registry: RegistryAccess;

beforeEach(() => {
  const clock = new ManualClock();
  const core = new RegistryCore({ sink: () => undefined, settings: DEFAULT_CORE_SETTINGS, limits: DEFAULT_LIMITS });
  const step = <I extends RegistryInput>(input: I): ResultOf<I> => core.step(input, clock.now());
  duringWrite = () => undefined;
  registry = {
    core,
    now: () => clock.now(),
    step,
    commit: async (actor, plan) => {
      const changes = plan(core);
      duringWrite();
      step({ type: 'store', changes, actor });
    },
    afterJournal: (callback) => callback(),
    awaitSubscribers: () => Promise.reject(new Error('Edits wait for nobody')),
  };
  register('1');
});

function register(version: string): void {
  const metadata = new Map([['version', version]]);
  const content = { weight: 1, enabled: true, healthy: true, metadata, app: undefined };
  registry.step({ type: 'register', service: SERVICE, address: ADDRESS, content, kindRule: 'mixed', actor: ACTOR });
}

function update(): Promise<void> {
  return commitEdits(registry, ACTOR, (core) => {
    const record = core.instance(SERVICE.id, 'ephemeral', ADDRESS.key);
    return record === undefined ? [] : [{ record, plan: planUpdate(record, { weight: 5 }) }];
  });
}

function inForce() {
  const record = registry.core.instance(SERVICE.id, 'ephemeral', ADDRESS.key);
  return record && { weight: record.inForce.weight, metadata: Object.fromEntries(record.inForce.metadata) };
}

it('lays the edit over the instance and takes out what it removes', async () => {
  await update();
  expect(inForce()).toEqual({ weight: 5, metadata: {} });
});

it('keeps a registration that comes while the edit is written', async () => {
  duringWrite = () => register('2');
  await update();
  expect(inForce()).toEqual({ weight: 5, metadata: { version: '2' } });
});

it('leaves an instance alone that went while the edit is written', async () => {
  duringWrite = () => registry.step({ type: 'deregister', service: SERVICE, address: ADDRESS, actor: ACTOR });
  await update();
  expect(inForce()).toBeUndefined();
  register('3');
  expect(inForce()).toEqual({ weight: 5, metadata: { version: '3' } });
});

it('changes nothing when the store refuses', async () => {
  duringWrite = () => {
    throw new Error('disk full');
  };
  await expect(update()).rejects.toThrow('disk full');
  expect(inForce()).toEqual({ weight: 1, metadata: { version: '1' } });
});
