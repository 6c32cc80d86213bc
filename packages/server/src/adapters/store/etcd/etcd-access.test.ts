// An etcd that is not open to all: TLS with certificates of both sides, and users with passwords.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KeyValueStore, WatchEnd } from '../shared/key-value-store.js';
import type { EtcdAccess } from './etcd-access.js';
import { STORE_AUTHORITY, STORE_CERTIFICATE, STORE_KEY } from './etcd-certificates.test-support.js';
import { EtcdCluster, hasEtcd } from './etcd-cluster.test-support.js';
import { connectEtcd } from './open-etcd-store.js';

const WRITE = { compares: [], writes: [{ key: 'a', value: '1' }] };

let directory: string;
let overTls: EtcdCluster;
let withUsers: EtcdCluster;
const open: KeyValueStore[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-etcd-tls-'));
  if (!hasEtcd()) return;
  const files = { authority: join(directory, 'ca'), certificate: join(directory, 'cert'), key: join(directory, 'key') };
  writeFileSync(files.authority, STORE_AUTHORITY);
  writeFileSync(files.certificate, STORE_CERTIFICATE);
  writeFileSync(files.key, STORE_KEY);
  [overTls, withUsers] = await Promise.all([EtcdCluster.start(1, files), EtcdCluster.start(1)]);
  await makeUsers(withUsers.endpoints[0] as string);
});
afterAll(async () => {
  await Promise.all([overTls?.stop(), withUsers?.stop()]);
  rmSync(directory, { recursive: true, force: true });
});
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

/** A root, and `rollcall`, who may do everything below `/rollcall/` and nothing else. */
async function makeUsers(endpoint: string): Promise<void> {
  const ask = async (path: string, body: object) => {
    const answer = await fetch(`http://${endpoint}/v3/auth/${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect([path, answer.status]).toEqual([path, 200]);
  };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  await ask('user/add', { name: 'root', password: 'r' });
  await ask('role/add', { name: 'root' });
  await ask('user/grant', { user: 'root', role: 'root' });
  await ask('user/add', { name: 'rollcall', password: 'secret' });
  await ask('role/add', { name: 'registry' });
  const perm = { permType: 'READWRITE', key: base64('/rollcall/'), range_end: base64('/rollcall0') };
  await ask('role/grant', { name: 'registry', perm });
  await ask('user/grant', { user: 'rollcall', role: 'registry' });
  await ask('enable', {});
}

function connected(cluster: EtcdCluster, access: EtcdAccess, root = ''): KeyValueStore {
  const store = connectEtcd(`etcd://${cluster.endpoints[0]}${root}`, access);
  open.push(store);
  return store;
}

/** How a watch from now on begins: in place, or why not. */
function watchOf(store: KeyValueStore): Promise<'started' | WatchEnd> {
  return new Promise((resolve) => {
    store.watch(1, { onStarted: () => resolve('started'), onEvents: () => undefined, onEnded: resolve });
  });
}

describe('an etcd', () => {
  beforeEach(({ skip }) => skip(!hasEtcd(), 'this machine has no etcd-server'));

  test('over TLS takes a server with a certificate', async () => {
    const tls = {
      authority: Buffer.from(STORE_AUTHORITY),
      certificate: Buffer.from(STORE_CERTIFICATE),
      key: Buffer.from(STORE_KEY),
    };
    const store = connected(overTls, { tls });
    expect(await store.transact(WRITE)).toMatchObject({ state: 'written' });
    expect(await watchOf(store)).toBe('started');
  });

  test('over TLS is no store for a server without one, or without TLS', async () => {
    for (const access of [{}, { tls: { authority: Buffer.from(STORE_AUTHORITY) } }]) {
      const outcome = await connected(overTls, access).transact(WRITE);
      expect(outcome.state).toMatch(/^(unavailable|unknown)$/);
    }
  });

  test('with users takes one with the right password, below the keys that are its own', async () => {
    const login = { user: 'rollcall', password: 'secret' };
    const store = connected(withUsers, { login });
    expect(await store.transact(WRITE)).toMatchObject({ state: 'written' });
    expect((await store.list()).entries).toMatchObject([{ key: 'a', value: '1' }]);
    expect(await watchOf(store)).toBe('started');
    expect(await connected(withUsers, { login }, '/elsewhere').transact(WRITE)).toEqual({
      state: 'refused',
      reason: 'etcdserver: permission denied',
    });
  });

  test('with users refuses a wrong password, and nobody at all', async () => {
    const stranger = connected(withUsers, { login: { user: 'rollcall', password: 'wrong' } });
    const reason = 'etcdserver: authentication failed, invalid user ID or password';
    expect(await stranger.transact(WRITE)).toEqual({ state: 'refused', reason });
    expect(await watchOf(stranger)).toMatchObject({ type: 'lost', reason });
    expect(await connected(withUsers, {}).transact(WRITE)).toMatchObject({ state: 'refused' });
  });

  test('with users is asked for another token when it has forgotten the first', async () => {
    const store = connected(withUsers, { login: { user: 'rollcall', password: 'secret' } });
    await store.transact(WRITE);
    await withUsers.kill(0);
    await withUsers.startAll();
    for (let outcome = await store.transact(WRITE); outcome.state !== 'written'; ) {
      expect(outcome.state).not.toBe('refused');
      outcome = await store.transact(WRITE);
    }
  });
});
