// Why an instance is silent, or still listed: each cause with real sockets and short times. The tests run side by side.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodePayload, frameMessage } from '@rollcall/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closedPort } from '../../src/adapters/probes/probe-listeners.test-support.js';
import type { HistoryAnswer } from '../../src/index.js';
import { RawGrpcClient } from '../fuzz/raw-grpc-client.test-support.js';
import { causesOf, LedgerScene, timesOf } from './ledger-scene.test-support.js';
import { ServerFixture, type StartedServer } from './started-server.test-support.js';

let fixture: ServerFixture;
let server: StartedServer;

beforeAll(async () => {
  fixture = new ServerFixture();
  server = await fixture.start();
});
afterAll(() => fixture.remove());

const sceneOf = (serviceName: string) => new LedgerScene(server, serviceName);
const TIMES = { beatTimeoutMs: 1200, deleteTimeoutMs: 2400 };
const SHORT = { metadata: timesOf(TIMES.beatTimeoutMs, TIMES.deleteTimeoutMs) };
const framed = (type: string, body: object) => frameMessage(encodePayload(type, JSON.stringify(body)));

describe.concurrent('an instance', { timeout: 30_000 }, () => {
  it('that beats late is told as such, and what the gap was', async () => {
    const scene = sceneOf('late');
    const before = performance.now();
    await scene.register(1, { metadata: timesOf(20_000) });
    const registered = performance.now();
    await sleep(1300);
    const gapMsMin = performance.now() - registered;
    await scene.beat(1);
    const gapMsMax = performance.now() - before;
    const answer = await scene.why(1);
    expect(answer).toMatchObject({ cause: 'late-beats', state: 'healthy' });
    expect(answer.incident?.totalMs).toBeGreaterThan(gapMsMin - 2);
    expect(answer.incident?.totalMs).toBeLessThan(gapMsMax + 2);
  });

  it('that turns unhealthy again and again for want of beats beats late', async () => {
    const scene = sceneOf('later');
    await scene.register(1, { metadata: timesOf(1100) });
    for (let gaps = 0; gaps < 4; gaps += 1) {
      await scene.untilDown(1);
      await scene.beat(1);
    }
    expect((await scene.why(1)).cause).toBe('late-beats');
  });

  it('that is not overdue yet has not expired', async () => {
    const scene = sceneOf('not-yet');
    await scene.register(1, { metadata: timesOf(20_000) });
    await sleep(600);
    const answer = await scene.why(1);
    expect(answer).toMatchObject({ cause: 'not-yet-expired', state: 'healthy' });
    expect(answer.verdict).toContain('20.0 s');
  });

  it('that is removed and sends a full beat is re-created', async () => {
    const scene = sceneOf('again');
    await scene.register(1, SHORT);
    await scene.until(1, ({ state }) => state === 'removed');
    await scene.fullBeat(1, JSON.parse(timesOf(20_000)));
    const answer = await scene.why(1);
    expect(answer).toMatchObject({ cause: 're-created', state: 'healthy' });
    expect(answer.incident?.removedAt).not.toBeNull();
  });

  it('that is persistent is unhealthy when a probe finds it dead', async () => {
    const scene = sceneOf('probed');
    const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await scene.register(port, { ephemeral: 'false' });
    expect(await scene.why(port)).toMatchObject({ cause: 'probe-interval', state: 'healthy' });
    const { askedAt } = await scene.why(port);
    await once(listener, 'connection');
    await sleep(50);
    listener.close();
    const answer = await scene.untilDown(port);
    expect(answer).toMatchObject({ cause: 'probe-interval', state: 'unhealthy' });
    // The first probe comes 2 s after the registration.
    expect(answer.incident?.from).toBeGreaterThan(askedAt + 1500);
    expect(answer.incident?.stages.every(({ cause }) => cause === 'probe-interval')).toBe(true);
  });

  it('that is persistent and not probed stays listed', async () => {
    const scene = sceneOf('not-probed');
    const cluster = { clusterName: 'DEFAULT', checkPort: '80', useInstancePort4Check: 'true' };
    const port = await closedPort();
    await scene.register(port, { ephemeral: 'false' });
    const checker = { serviceName: scene.serviceName, ...cluster, healthChecker: '{"type":"NONE"}' };
    expect(await server.text('PUT', '/nacos/v1/ns/cluster', checker)).toBe('ok');
    expect(await scene.why(port)).toMatchObject({ cause: 'persistent-without-probe', state: 'healthy' });
  });

  it('is hidden by the protection threshold', async () => {
    const scene = sceneOf('protected');
    await server.text('POST', '/nacos/v1/ns/service', { serviceName: scene.serviceName, protectThreshold: '0.6' });
    await scene.register(1, { metadata: timesOf(1100) });
    await scene.register(2);
    const answer = await scene.untilDown(1);
    expect(answer).toMatchObject({ cause: 'protection', state: 'unhealthy' });
    expect(causesOf(answer)).toContain('silent-crash');
    expect(answer.verdict).toContain('1 of 2 healthy, threshold 0.6');
  });

  it('is held by two publishers', async () => {
    const scene = sceneOf('twice');
    const client = await RawGrpcClient.open(server.server.address.port);
    const labels = { module: 'naming', source: 'sdk' };
    client.say(framed('ConnectionSetupRequest', { clientVersion: 'test', labels, abilityTable: {} }));
    const { serviceName } = scene;
    const names = { namespace: 'public', groupName: 'DEFAULT_GROUP', serviceName };
    const instance = { ip: '127.0.0.1', port: 1, weight: 1, enabled: true, healthy: true, ephemeral: true };
    const registration = { ...names, type: 'registerInstance', instance, requestId: '1' };
    const registered = async () => (await client.call(framed('InstanceRequest', registration))).body.toString();
    while (!(await registered()).includes('"resultCode":200')) await sleep(20);
    expect((await scene.why(1)).cause).toBe('still-connected');
    await scene.register(1);
    const answer = await scene.why(1);
    expect(answer).toMatchObject({ cause: 'two-publishers', state: 'healthy' });
    client.close();
    await scene.until(1, (later) => !causesOf(later).includes('two-publishers'));
  });

  it('is kept alive by beats from another address', async () => {
    const scene = sceneOf('other-source');
    await scene.register(1, { metadata: timesOf(20_000) });
    await scene.beat(1);
    expect(causesOf(await scene.why(1))).not.toContain('beats-by-another');
    await scene.beat(1, {}, '127.0.0.2');
    const answer = await scene.why(1);
    expect(answer.cause).toBe('beats-by-another');
    expect(answer.verdict).toContain('127.0.0.2');
  });

  it('that is disabled by an operator was no failure', async () => {
    const scene = sceneOf('edited');
    await scene.register(1, { metadata: timesOf(20_000) });
    await scene.edit(1, { enabled: 'false', metadata: timesOf(20_000) });
    const answer = await scene.why(1);
    expect(answer.cause).toBe('operator-edit');
    const { facts } = await server.json<HistoryAnswer>('GET', '/rollcall/v1/history', { serviceName: 'edited' });
    const edited = facts.find(({ type }) => type === 'instance-edited');
    expect(edited).toMatchObject({ peer: '127.0.0.1', edits: [{ field: 'enabled', from: 'true', to: 'false' }] });
    expect(answer.verdict).toContain('127.0.0.1');
  });

  it('is registered in another service, too', async () => {
    const scene = sceneOf('moved');
    await scene.register(4711);
    await scene.deregister(4711);
    await sceneOf('ghosts').register(4711);
    const answer = await scene.why(4711);
    expect(causesOf(answer)).toEqual(expect.arrayContaining(['deregistered', 'registered-elsewhere']));
  });
});

describe.concurrent('a server', { timeout: 30_000 }, () => {
  it('whose health check is switched off keeps the dead listed', async () => {
    const own = new ServerFixture();
    const scene = new LedgerScene(await own.start(), 'orders');
    const set = (value: string) =>
      scene.server.text('PUT', '/nacos/v1/ns/operator/switches', { entry: 'check', value });
    await scene.register(1, { metadata: timesOf(1100) });
    expect(await set('false')).toBe('ok');
    await sleep(1800);
    expect(await scene.why(1)).toMatchObject({ cause: 'switch-off', state: 'healthy' });
    expect(await set('true')).toBe('ok');
    const answer = await scene.untilDown(1);
    expect(answer.cause).toBe('switch-off');
    expect(answer.verdict).toContain('127.0.0.1');
    await own.remove();
  });

  it('that restarts gives every instance its whole time again', async () => {
    const own = new ServerFixture();
    const scene = new LedgerScene(await own.start(), 'orders');
    await scene.register(1, { metadata: timesOf(1500) });
    await sleep(700);
    await scene.server.server.close();
    scene.server = await own.start();
    const answer = await scene.untilDown(1);
    expect(answer).toMatchObject({ cause: 'restart-grace', state: 'unhealthy' });
    await own.remove();
  });
});
