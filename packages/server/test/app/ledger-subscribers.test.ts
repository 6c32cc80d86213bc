// Why a subscriber was told late, not at all, or called in spite of it: each cause with real sockets and short times. The
// tests run side by side.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WhyAnswer } from '../../src/index.js';
import { causesOf, LedgerScene, timesOf } from './ledger-scene.test-support.js';
import { ServerFixture, type StartedServer } from './started-server.test-support.js';

let fixture: ServerFixture;
let server: StartedServer;

beforeAll(async () => {
  fixture = new ServerFixture();
  server = await fixture.start();
});
afterAll(() => fixture.remove());

const CRASH = { metadata: timesOf(1100) };
/** Longer than what counts as an answer on its way. */
const LONG_AFTER_MS = 1300;

const sceneOf = (serviceName: string) => new LedgerScene(server, serviceName);
const toldOf = ({ subscribers }: WhyAnswer, name: string) =>
  subscribers.find(({ subscriber }) => subscriber === name)?.told;

function expectSum({ stages, totalMs }: NonNullable<ReturnType<typeof toldOf>>): void {
  expect(stages.reduce((sum, { ms }) => sum + ms, 0)).toBe(totalMs);
}

describe.concurrent('a subscriber', { timeout: 30_000 }, () => {
  it('at an address that pushes may not go to learns by polling', async () => {
    const scene = sceneOf('refused-address');
    await scene.register(1, CRASH);
    const query = { udpPort: '53', clientIP: '192.0.2.7' };
    await scene.poll(query);
    await scene.untilDown(1);
    await sleep(300);
    await scene.poll(query);
    const answer = await scene.why(1);
    expect(causesOf(answer)).toContain('push-refused-address');
    const told = toldOf(answer, '192.0.2.7:53');
    expect(told).toMatchObject({ end: 'told', by: 'poll' });
    expectSum(told as NonNullable<typeof told>);
    expect(answer.subscribers).toHaveLength(1);
  });

  it('whose list does not fit into a datagram learns by polling', async () => {
    const scene = sceneOf('too-large');
    const noise = () => JSON.stringify({ noise: randomBytes(700).toString('hex') });
    await Promise.all(Array.from({ length: 120 }, (_, i) => scene.register(i + 2, { metadata: noise() })));
    await scene.register(1, CRASH);
    const name = await scene.subscribe();
    await scene.untilDown(1);
    await sleep(300);
    await scene.poll({ udpPort: name.split(':')[1] ?? '', clientIP: '127.0.0.1' });
    const answer = await scene.why(1, { subscriber: name });
    expect(causesOf(answer)).toContain('push-refused-size');
    expect(toldOf(answer, name)).toMatchObject({ end: 'told', by: 'poll' });
  });

  it('that is gone before it was told', async () => {
    const own = new ServerFixture();
    const scene = new LedgerScene(await own.start({ subscriberMs: '1500' }), 'orders');
    await scene.register(1, CRASH);
    const name = await scene.subscribe('is-deaf');
    await scene.untilDown(1);
    const answer = await scene.until(1, (later) => toldOf(later, name)?.end === 'gone');
    expect(causesOf(answer)).toContain('subscriber-gone');
    await scene.close();
    await own.remove();
  });

  it('that had been told of the removal calls out of its own cache', async () => {
    const scene = sceneOf('cached');
    await scene.register(1, { metadata: timesOf(1100, 1600) });
    const name = await scene.subscribe();
    await scene.until(1, ({ state }) => state === 'removed');
    await sleep(LONG_AFTER_MS);
    const at = String((await scene.why(1)).askedAt);
    const answer = await scene.why(1, { at, subscriber: name });
    expect(answer).toMatchObject({ cause: 'consumer-cache', state: 'removed' });
    expect(answer.verdict).toContain('cannot see');
    await scene.close();
  });

  it('that had been told of the last instance calls it behind its empty protection', async () => {
    const scene = sceneOf('emptied');
    await scene.register(1, { metadata: timesOf(20_000) });
    const name = await scene.subscribe();
    await scene.deregister(1);
    await scene.until(1, (answer) => toldOf(answer, name)?.end === 'told');
    await sleep(LONG_AFTER_MS);
    const at = String((await scene.why(1)).askedAt);
    const answer = await scene.why(1, { at, subscriber: name });
    expect(answer.cause).toBe('consumer-cache');
    expect(answer.advice).toContain('empty');
    await scene.close();
  });

  it.for([
    ['unhealthy', { metadata: timesOf(1100) }, undefined],
    ['without weight', { metadata: timesOf(20_000) }, { weight: '0', metadata: timesOf(20_000) }],
  ] as const)('that was told of an instance as %s calls it by its own filter', async ([how, metadata, edit]) => {
    const scene = sceneOf(`filtered-${how.length}`);
    await scene.register(1, metadata);
    const name = await scene.subscribe();
    if (edit !== undefined) await scene.edit(1, edit);
    await scene.until(1, (answer) => toldOf(answer, name)?.end === 'told');
    await sleep(LONG_AFTER_MS);
    const at = String((await scene.why(1)).askedAt);
    const answer = await scene.why(1, { at, subscriber: name });
    expect(answer.cause).toBe('filter');
    await scene.close();
  });

  it('waits for the answer to the push before', async () => {
    const scene = sceneOf('queued');
    await scene.register(1, { metadata: timesOf(20_000) });
    const name = await scene.subscribe('is-deaf');
    await sleep(300);
    await scene.register(2);
    await sleep(300);
    await scene.deregister(1);
    await sleep(600);
    const answer = await scene.why(1, { subscriber: name });
    expect(causesOf(answer)).toContain('push-queued');
    await scene.close();
  });

  it('is not pushed while the switch is off', async () => {
    const own = new ServerFixture();
    const scene = new LedgerScene(await own.start(), 'orders');
    const set = (value: string) =>
      scene.server.text('PUT', '/nacos/v1/ns/operator/switches', { entry: 'pushEnabled', value });
    await scene.register(1, CRASH);
    const name = await scene.subscribe();
    expect(await set('false')).toBe('ok');
    await scene.untilDown(1);
    await sleep(500);
    const waiting = await scene.why(1, { subscriber: name });
    expect(toldOf(waiting, name)?.end).toBe('open');
    expect(causesOf(waiting)).toContain('switch-off');
    expect(await set('true')).toBe('ok');
    const told = await scene.until(1, (answer) => toldOf(answer, name)?.end === 'told');
    expect(causesOf(told)).toContain('switch-off');
    await scene.close();
    await own.remove();
  });
});
