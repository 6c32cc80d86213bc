// Which store a server gets, and what happens to changes that no store of it may take.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceKey } from '@rollcall/protocol';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SERVER } from '../core/actor.js';
import { addressOf } from '../core/instance-address.js';
import type { StoreChange } from '../core/store-change.js';
import { openServerStore, type ServerStore } from './server-store.js';

const SERVICE = serviceKey('public', 'g', 'orders');
const ADDRESS = addressOf('10.0.0.1', 1, 'DEFAULT');
const NAMESPACE: StoreChange = { type: 'namespace', id: 'a', value: { id: 'a', name: 'a', description: '' } };
const EDIT: StoreChange = { type: 'edit', service: SERVICE, kind: 'ephemeral', address: ADDRESS, value: { weight: 2 } };
const PERSISTENT_EDIT: StoreChange = { ...EDIT, kind: 'persistent' };

let path: string;
let logger: RecordingLogger;
let opened: ServerStore | undefined;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'rollcall-server-store-'));
  logger = new RecordingLogger();
});
afterEach(async () => {
  await opened?.store.close();
  opened = undefined;
  rmSync(path, { recursive: true, force: true });
});

async function reopen(store: string, nodes: 'one' | 'several'): Promise<readonly StoreChange[]> {
  await opened?.store.close();
  const config = { store, storeTlsCa: '', storeTlsCert: '', storeTlsKey: '', storeUser: '', storePassword: '' };
  const clock = new ManualClock();
  const timers = new ManualTimers(clock);
  const directory = { storePath: join(path, 'store'), storeCopyPath: join(path, 'store-copy') };
  opened = await openServerStore({ config, nodes, directory, clock, timers, logger });
  return [...opened.store.load()];
}

it('alone keeps everything itself', async () => {
  await reopen('embedded', 'one');
  await opened?.store.commit([NAMESPACE, EDIT], SERVER);
  expect(await reopen('embedded', 'one')).toEqual([NAMESPACE, EDIT]);
  expect([opened?.store.laneOf([NAMESPACE]), opened?.sharedFigures()]).toEqual(['local', undefined]);
});

it('one of several without a shared store refuses what nodes share and names the option', async () => {
  await reopen('embedded', 'several');
  const refusal = { code: 'storage-failed', message: expect.stringContaining('--store etcd://host:port,...') };
  for (const change of [NAMESPACE, PERSISTENT_EDIT]) {
    expect(opened?.store.laneOf([change])).toBe('shared');
    await expect(opened?.store.commit([EDIT, change], SERVER)).rejects.toMatchObject(refusal);
  }
  expect(await reopen('embedded', 'several')).toEqual([]);
});

it('one of several keeps edits of ephemeral instances without a shared store', async () => {
  await reopen('embedded', 'several');
  expect(opened?.store.laneOf([EDIT])).toBe('local');
  expect(await opened?.store.commit([EDIT], SERVER)).toBe('written');
  expect(await reopen('embedded', 'several')).toEqual([EDIT]);
});

it('leaves what it made alone where it is, and says so', async () => {
  await reopen('embedded', 'one');
  await opened?.store.commit([NAMESPACE, EDIT], SERVER);
  expect(await reopen('embedded', 'several')).toEqual([EDIT]);
  expect(logger.lines.at(-1)).toEqual({ level: 'warn', event: 'store-records-not-shared', fields: { records: 1 } });
  expect(await reopen('embedded', 'one')).toEqual([NAMESPACE, EDIT]);
});

it('with an etcd that is away opens all the same, and refuses what is for it alone', async () => {
  expect(await reopen('etcd://127.0.0.1:1', 'several')).toEqual([]);
  expect(opened?.sharedFigures()).toEqual({ ready: false, revision: 0, records: 0 });
  expect(await opened?.store.commit([EDIT], SERVER)).toBe('written');
});
