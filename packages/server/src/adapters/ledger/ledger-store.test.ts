import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';
import { LedgerFixture } from '../../testing/ledger-fixture.js';
import { LedgerStore } from './ledger-store.js';

const orders = serviceOf('orders');
let path: string;
let logger: RecordingLogger;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'rollcall-ledger-'));
  logger = new RecordingLogger();
});

afterEach(() => rmSync(path, { recursive: true, force: true }));

/** One run of a server: what `during` does is written. */
async function run(during: (fixture: LedgerFixture) => void, bytes = 1024 * 1024): Promise<LedgerFixture> {
  const fixture = new LedgerFixture();
  const timers = new ManualTimers(fixture.registry.clock);
  const pause = () => Promise.resolve();
  const store = new LedgerStore({ path, bytes, ledger: fixture.ledger, logger, timers, pause });
  store.follow();
  await store.load();
  during(fixture);
  fixture.follow();
  await store.close();
  return fixture;
}

const segments = () => readdirSync(path).sort();
const registerOne = ({ registry }: LedgerFixture) => registry.register(orders, hostOf(1));

it('gives the next run what the last one recorded', async () => {
  const first = await run((fixture) => {
    registerOne(fixture);
    fixture.registry.advance(30_000);
  });
  const before = first.ledger.history(orders.id)?.facts ?? [];
  expect(before.length).toBeGreaterThan(4);
  const second = await run(() => undefined);
  expect(second.ledger.history(orders.id)?.facts).toEqual(JSON.parse(JSON.stringify(before)));
  expect(second.ledger.serverFacts.map(({ type }) => type)).toEqual(['server-started', 'server-started']);
  const third = await run(() => undefined);
  expect(third.ledger.history(orders.id)?.facts).toHaveLength(before.length);
  expect(third.ledger.serverFacts).toHaveLength(3);
});

it('cuts a tail that was not written to its end, with a log line, and keeps the rest', async () => {
  await run(registerOne);
  const file = join(path, segments()[0] as string);
  const sound = statSync(file).size;
  appendFileSync(file, '01234567 [["public","DEFAULT');
  const next = await run(() => undefined);
  expect(next.ledger.history(orders.id)?.facts).toHaveLength(2);
  expect(logger.events).toEqual(['ledger-tail-cut']);
  expect(statSync(file).size).toBe(sound);
});

it('passes over a damaged line in between', async () => {
  await run(registerOne);
  const file = join(path, segments()[0] as string);
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [lines[0]?.replace('server-started', 'server-stopped'), ...lines.slice(1)].join('\n'));
  const next = await run(() => undefined);
  expect(next.ledger.history(orders.id)?.facts).toHaveLength(2);
  expect(next.ledger.serverFacts).toHaveLength(1);
  expect(logger.events).toEqual(['ledger-damaged']);
});

it('keeps to its bound and deletes the oldest segments first', async () => {
  for (let i = 0; i < 30; i++) await run(registerOne, 4000);
  const bytes = segments().reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(4000 + 1000);
  expect(segments()).not.toContain('ledger-00000001.log');
});
