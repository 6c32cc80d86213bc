import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, RecordingLogger } from '@rollcall/runtime/testing';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SERVER } from '../../core/actor.js';
import type { StoreChange } from '../../core/store-change.js';
import { checkedLine } from './checked-line.js';
import { LMDB_OPTIONS } from './lmdb-options.js';
import { LmdbStore } from './lmdb-store.js';
import { recordOf } from './store-record.js';

let directory: string;
let path: string;
let logger: RecordingLogger;
let clock: ManualClock;
const stores: LmdbStore[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-lmdb-'));
  path = join(directory, 'store');
  logger = new RecordingLogger();
  clock = new ManualClock(Date.UTC(2026, 10, 30, 4, 5, 6));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(directory, { recursive: true, force: true });
});

async function opened(): Promise<LmdbStore> {
  const store = await LmdbStore.open({ path, clock, logger });
  stores.push(store);
  return store;
}

async function closed(store: LmdbStore): Promise<void> {
  stores.splice(stores.indexOf(store), 1);
  await store.close();
}

function namespace(number: number): StoreChange {
  const id = `n${String(number).padStart(5, '0')}`;
  return { type: 'namespace', id, value: { id, name: 'x'.repeat(200), description: '' } };
}

async function storeOf(count: number): Promise<void> {
  const store = await opened();
  await store.commit(
    Array.from({ length: count }, (_, number) => namespace(number)),
    SERVER,
  );
  await closed(store);
}

/** Opens the files with lmdb alone. */
async function inLmdb(act: (db: ReturnType<typeof open<Buffer, Buffer>>) => Promise<unknown>): Promise<void> {
  const db = open<Buffer, Buffer>({ path, ...LMDB_OPTIONS });
  await act(db);
  await db.close();
}

describe('a damaged file', () => {
  const damages: Record<string, (file: string) => void> = {
    'foreign text': (file) => writeFileSync(file, 'hello\n'.repeat(1000)),
    zeros: (file) => writeFileSync(file, Buffer.alloc(65536)),
    'cut in the middle': (file) => truncateSync(file, readFileSync(file).length / 2),
    'cut inside the first page': (file) => truncateSync(file, 100),
    'pages overwritten': (file) => writeFileSync(file, Buffer.from(readFileSync(file)).fill(0xff, 8192)),
  };

  test.each(Object.keys(damages))('%s: set aside with one line, an empty store takes its place', async (kind) => {
    await storeOf(500);
    damages[kind]?.(join(path, 'data.mdb'));
    const store = await opened();
    expect([...store.load()]).toEqual([]);
    await store.commit([namespace(1)], SERVER);
    expect([...store.load()]).toEqual([namespace(1)]);
    const aside = 'store.damaged-2026-11-30T04-05-06Z';
    expect(readdirSync(directory).sort()).toEqual(['store', aside]);
    expect(logger.lines).toEqual([
      {
        level: 'error',
        event: 'store-damaged',
        fields: expect.objectContaining({ path, aside: join(directory, aside) }),
      },
    ]);
  });

  test('two in the same second get two names', async () => {
    for (const _ of [1, 2]) {
      await storeOf(1);
      writeFileSync(join(path, 'data.mdb'), 'x'.repeat(9000));
    }
    await opened();
    const aside = 'store.damaged-2026-11-30T04-05-06Z';
    expect(readdirSync(directory).sort()).toEqual(['store', aside, `${aside}-2`]);
  });
});

test('a process that dies without closing leaves a store that is checked, and sound', async () => {
  await storeOf(10);
  const killed = spawnSync(process.execPath, ['-e', killedWhileOpen()], { encoding: 'utf8' });
  expect(killed.signal).toBe('SIGKILL');
  const store = await opened();
  expect([...store.load()]).toHaveLength(11);
  expect(logger.lines).toEqual([]);
});

/** Writes a record, then dies. */
function killedWhileOpen(): string {
  const { key, json } = recordOf(namespace(99999));
  const args = { path, key, value: checkedLine(json ?? '').toString('base64'), options: LMDB_OPTIONS };
  return `
    const { path, key, value, options } = ${JSON.stringify(args)};
    require('node:fs').rmSync(path + '/closed.json');
    const db = require(${JSON.stringify(createRequire(import.meta.url).resolve('lmdb'))}).open({ path, ...options });
    db.put(Buffer.from(key), Buffer.from(value, 'base64')).then(() => process.kill(process.pid, 'SIGKILL'));`;
}

test('a damaged record is set aside and reported once, the others load', async () => {
  await storeOf(3);
  await inLmdb((db) => db.put(Buffer.from(recordOf(namespace(1)).key), Buffer.from('00000000 {"type":"namespace"}')));
  const store = await opened();
  expect([...store.load()]).toEqual([namespace(0), namespace(2)]);
  expect(logger.events).toEqual(['store-records-damaged']);
  expect(logger.lines[0]?.fields).toMatchObject({
    count: 1,
    names: 'ns/["n00001"]',
    aside: 'damaged-2026-11-30T04-05-06Z/',
  });
  await closed(store);

  expect([...(await opened()).load()]).toEqual([namespace(0), namespace(2)]);
  expect(logger.events).toEqual(['store-records-damaged']);
  await closed(stores[0] as LmdbStore);
  await inLmdb(async (db) => {
    expect(db.get(Buffer.from('damaged-2026-11-30T04-05-06Z/ns/["n00001"]'))).toBeDefined();
  });
});

test('a record of a type of a newer version stays and is counted in a warning', async () => {
  await storeOf(1);
  await inLmdb((db) => db.put(Buffer.from('ns/["z"]'), checkedLine('{"type":"quota","value":1}')));
  const store = await opened();
  expect([...store.load()]).toEqual([namespace(0)]);
  expect(logger.lines).toEqual([{ level: 'warn', event: 'store-records-unknown', fields: { path, unknown: 1 } }]);
});

test('a store of a newer format is refused and left alone', async () => {
  await storeOf(1);
  await inLmdb((db) => db.put(Buffer.from('format'), checkedLine('2')));
  await expect(LmdbStore.open({ path, clock, logger })).rejects.toThrow(
    `cannot open the store "${path}": found format 2 of a newer version, allowed is up to 1`,
  );
  expect(readdirSync(directory)).toEqual(['store']);
});

test('a path that cannot be a directory is an error, not damage', async () => {
  writeFileSync(path, '');
  await expect(LmdbStore.open({ path, clock, logger })).rejects.toMatchObject({ code: 'storage-failed' });
  rmSync(path);
  mkdirSync(join(path, 'data.mdb'), { recursive: true });
  await expect(LmdbStore.open({ path, clock, logger })).rejects.toMatchObject({ code: 'storage-failed' });
  expect(readdirSync(directory)).toEqual(['store']);
});

test('a copy of a closed store is a store', async () => {
  await storeOf(5);
  const original = path;
  path = join(directory, 'copy');
  mkdirSync(path);
  for (const file of readdirSync(original)) copyFileSync(join(original, file), join(path, file));
  expect([...(await opened()).load()]).toHaveLength(5);
});

test('a disk that takes no more: the commit is refused as a whole, and all is well when there is room again', async ({
  skip,
}) => {
  const limited = limitFileSize('unlimited');
  skip(!limited, 'this machine has no /usr/bin/prlimit, which makes writes fail as on a full disk');
  const store = await opened();
  await store.commit([namespace(0)], SERVER);
  const large = Array.from({ length: 5000 }, (_, number) => namespace(number + 1));
  limitFileSize(`${readFileSync(join(path, 'data.mdb')).length + 100_000}`);
  try {
    await expect(store.commit(large, SERVER)).rejects.toMatchObject({ code: 'storage-failed' });
    await expect(store.commit(large, SERVER)).rejects.toMatchObject({ code: 'storage-failed' });
    expect([...store.load()]).toEqual([namespace(0)]);
  } finally {
    limitFileSize('unlimited');
  }
  await store.commit(large, SERVER);
  expect([...store.load()]).toHaveLength(5001);
  expect(logger.events).toEqual(['store-commit-failed', 'store-commit-failed']);
  await closed(store);
  expect([...(await opened()).load()]).toHaveLength(5001);
});

/** Sets the largest size of a file for this process; the kernel refuses writes beyond it. */
function limitFileSize(bytes: string): boolean {
  return spawnSync('/usr/bin/prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:unlimited`]).status === 0;
}
