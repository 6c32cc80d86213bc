// Faults that clients meet: after each one the right list and the right registrations are back within the stated time, and
// nothing is left behind after close.

import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ManualClock, ManualTimers } from '@rollcall/runtime/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { ScriptedServer, usualAnswer } from '../src/adapters/scripted-server.test-support.js';
import { RegistryClient } from '../src/app/registry-client.js';
import { ClientError, connect } from '../src/index.js';
import { freePort, RollcallServer, until } from './rollcall-server.test-support.js';
import { SwallowingProxy } from './swallowing-proxy.test-support.js';

const ends: (() => Promise<unknown> | unknown)[] = [];
const rejections: unknown[] = [];
process.on('unhandledRejection', (error) => rejections.push(error));

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  expect(rejections).toEqual([]);
});

async function scripted(port = 0): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(port);
  ends.push(() => server.close());
  return server;
}

function client(servers: string, options = {}): RegistryClient {
  const made = connect({ servers, protocol: 'http', ...options });
  ends.push(() => made.close({ deadlineMs: 500 }));
  return made;
}

const listText = (ips: string[], members = {}) =>
  JSON.stringify({
    name: 'DEFAULT_GROUP@@s',
    cacheMillis: 200,
    lastRefTime: 1,
    hosts: ips.map((ip) => ({ ip, port: 1 })),
    ...members,
  });

describe('against a real server', () => {
  test('killed and back: the registration is there again within 15 s, and so is the list', async () => {
    const server = await RollcallServer.start();
    ends.push(() => server.dispose());
    const own = client(server.address);
    await own.register('s', { ip: '10.0.0.1', port: 1 });
    const view = own.subscribe('s');
    await until(() => view.instances.length === 1);
    await server.kill();
    await expect(own.instances('s')).rejects.toMatchObject({ code: 'unreachable' });
    expect(view.select()?.ip).toBe('10.0.0.1');
    const startedAt = performance.now();
    await server.start();
    const other = client(server.address);
    await other.register('s', { ip: '10.0.0.2', port: 1 });
    await until(() => view.instances.length === 2);
    await until(async () => (await server.hosts('s')).length === 2);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  }, 60_000);

  test('BR-102 two clients of two namespaces see only their own service', async () => {
    const server = await RollcallServer.start();
    ends.push(() => server.dispose());
    const [one, two] = [client(server.address, { namespace: 'n1' }), client(server.address, { namespace: 'n2' })];
    const [first, second] = [one.subscribe('s'), two.subscribe('s')];
    await Promise.all([first.ready, second.ready]);
    await one.register('s', { ip: '10.0.0.1', port: 1 });
    await until(() => first.instances.length === 1);
    await pause(200);
    expect(second.instances).toEqual([]);
    expect(await server.hosts('s', 'n1')).toHaveLength(1);
    expect(await server.hosts('s')).toEqual([]);
  }, 30_000);
});

describe('wrong answers', () => {
  test.each([
    ['a page of a proxy', '<html>Welcome</html>'],
    ['broken JSON', '{"name":"DEFAULT_GROUP@@s","hosts":['],
    ['a status with a body', { status: 500, body: listText(['evil']) }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['an answer cut off', { headers: { 'content-length': '5000' }, body: listText(['evil']) }],
  ])(
    '%s never gets into the list, and the next good answer does',
    async (_name, bad) => {
      const server = await scripted();
      server.answer = () => listText(['good']);
      const view = client(server.address, { push: 'off', attemptTimeoutMs: 300 }).subscribe('s');
      await view.ready;
      server.answer = () => bad;
      const asked = server.received.length;
      await until(() => server.received.length > asked + 2);
      expect(view.instances.map(({ ip }) => ip)).toEqual(['good']);
      server.answer = () => listText(['better']);
      await until(() => view.instances[0]?.ip === 'better');
    },
    20_000,
  );
});

describe('slow and dead connections', () => {
  test('a server that answers nobody any more: beats and polls go to the other one', async () => {
    const [one, two] = [await scripted(), await scripted()];
    one.answer = (request) => (request.path.endsWith('/list') ? listText(['a']) : usualAnswer(request));
    two.answer = (request) => (request.path.endsWith('/list') ? listText(['b']) : usualAnswer(request));
    const own = new RegistryClient(
      { servers: [one.address, two.address], protocol: 'http', push: 'off', attemptTimeoutMs: 200 },
      { random: () => 0 },
    );
    ends.push(() => own.close({ deadlineMs: 500 }));
    await own.register('s', { ip: '10.0.0.1', port: 1, metadata: { 'preserved.heart.beat.interval': '200' } });
    const view = own.subscribe('s');
    await until(() => view.instances[0]?.ip === 'a');
    one.answer = () => 'hang';
    await until(() => view.instances[0]?.ip === 'b');
    await until(() => two.to('/beat').length > 0);
  }, 20_000);

  test('half-open connections: a proxy that swallows everything costs one attempt, then a new connection works', async () => {
    const server = await scripted();
    const proxy = await SwallowingProxy.start(server.port);
    ends.push(() => proxy.close());
    const own = client(`127.0.0.1:${proxy.port}`, { push: 'off', attemptTimeoutMs: 300 });
    await own.register('s', { ip: '10.0.0.1', port: 1 });
    proxy.swallow();
    const startedAt = performance.now();
    await own.register('t', { ip: '10.0.0.1', port: 1 });
    expect(performance.now() - startedAt).toBeLessThan(3000);
  }, 20_000);

  test('a port that is refused, then serves: what was wanted comes', async () => {
    const port = await freePort();
    const own = client(`127.0.0.1:${port}`, { push: 'off' });
    const view = own.subscribe('s');
    const registered = own.register('s', { ip: '10.0.0.1', port: 1 });
    await pause(300);
    const server = await scripted(port);
    server.answer = (request) => (request.path.endsWith('/list') ? listText(['a']) : usualAnswer(request));
    await registered;
    await until(() => view.instances.length === 1);
  }, 20_000);

  test('deadline and signal of a register call take the registration back', async () => {
    const own = client(`127.0.0.1:${await freePort()}`, { push: 'off' });
    await expect(own.register('s', { ip: '10.0.0.1', port: 1 }, { deadlineMs: 100 })).rejects.toMatchObject({
      code: 'deadline-exceeded',
    });
    const abort = new AbortController();
    const call = own.register('s', { ip: '10.0.0.1', port: 1 }, { signal: abort.signal });
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    for (const begun of [
      () => own.register('s', { ip: '10.0.0.1', port: 1 }, { signal: abort.signal }),
      () => own.deregister('s', { ip: '10.0.0.1', port: 1 }, { signal: abort.signal }),
      () => own.select('s', { signal: abort.signal }),
      () => own.instances('s', { signal: abort.signal }),
    ])
      await expect(begun()).rejects.toMatchObject({ code: 'aborted' });
    await expect(own.select('s', { deadlineMs: 50 })).rejects.toMatchObject({ code: 'deadline-exceeded' });
    await own.close({ signal: abort.signal });
  });
});

test('a laptop that slept an hour beats at once, and is registered again when the server has forgotten it', async () => {
  const server = await scripted();
  let registrations = 0;
  server.answer = (request) => {
    if (request.path.endsWith('/beat'))
      return `{"clientBeatInterval":5000,"code":${registrations < 2 ? 20404 : 10200}}`;
    registrations++;
    return 'ok';
  };
  const clock = new ManualClock();
  const timers = new ManualTimers(clock);
  const own = new RegistryClient({ servers: server.address, protocol: 'http', push: 'off' }, { clock, timers });
  ends.push(() => own.close({ deadlineMs: 500 }));
  await own.register('s', { ip: '10.0.0.1', port: 1 });
  clock.setWall(0);
  timers.suspend(3_600_000);
  await until(() => registrations === 2);
  expect(server.to('/beat')).toHaveLength(1);
  expect(server.to('/instance', 'POST')).toHaveLength(2);
}, 20_000);

describe('large and many', () => {
  test('a service with 10,000 instances is listed whole', async () => {
    const server = await scripted();
    server.answer = () => listText(Array.from({ length: 10_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`));
    const view = client(server.address, { push: 'off' }).subscribe('s');
    expect(await view.ready).toHaveLength(10_000);
  }, 20_000);
});

describe('the disk', () => {
  test('BR-142 lists are kept, and used from the start when asked for and no server answers', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'rollcall-client-cache-'));
    ends.push(() => rm(directory, { recursive: true, force: true }));
    const server = await scripted();
    server.answer = () => listText(['kept']);
    const first = connect({ servers: server.address, protocol: 'http', push: 'off', cache: { directory } });
    await first.subscribe('s').ready;
    await first.close();
    const folder = path.join(directory, 'nacos', 'naming', 'public');
    expect(await readFile(path.join(folder, 'DEFAULT_GROUP%40%40s'), 'utf8')).toBe(listText(['kept']));
    const dead = `127.0.0.1:${await freePort()}`;
    const second = client(dead, { push: 'off', cache: { directory, loadAtStart: true } }).subscribe('s');
    expect((await second.ready).map(({ ip }) => ip)).toEqual(['kept']);
    const third = client(dead, { push: 'off', cache: { directory } }).subscribe('s');
    await pause(100);
    expect(third.isReady).toBe(false);
    const fourth = client(server.address, { push: 'off', cache: { directory, loadAtStart: true } });
    server.answer = () => listText(['new']);
    const view = fourth.subscribe('s');
    await until(() => view.instances[0]?.ip === 'new');
  }, 20_000);

  test('BR-140 a folder that takes nothing does not disturb the client', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'rollcall-client-cache-'));
    ends.push(() => rm(directory, { recursive: true, force: true }));
    await writeFile(path.join(directory, 'nacos'), 'a file where a folder should be');
    await chmod(directory, 0o500);
    const server = await scripted();
    server.answer = () => listText(['a']);
    const own = client(server.address, { push: 'off', cache: { directory } });
    expect(await own.subscribe('s').ready).toHaveLength(1);
    await own.close();
    expect(await readdir(directory)).toEqual(['nacos']);
  }, 20_000);
});

describe('close', () => {
  test('BR-135 during everything: it ends, nothing is left, and later calls reject clearly', async () => {
    const server = await scripted();
    server.answer = (request) => (request.method === 'DELETE' ? 'ok' : { body: 'ok', delayMs: 200 });
    const own = connect({ servers: server.address, protocol: 'http' });
    const calls = [
      own.register('s', { ip: '10.0.0.1', port: 1 }),
      own.instances('s'),
      own.services(),
      own.select('s'),
      own.subscribe('s').ready,
    ];
    const results = Promise.allSettled(calls);
    await pause(20);
    const [first, second] = [own.close(), own.close()];
    expect(first).toBe(second);
    await first;
    for (const result of await results) {
      expect(result.status).toBe('rejected');
      expect((result as PromiseRejectedResult).reason).toBeInstanceOf(ClientError);
    }
    await expect(own.register('s', { ip: '10.0.0.1', port: 1 })).rejects.toMatchObject({ code: 'closed' });
    expect(() => own.subscribe('s')).toThrow(expect.objectContaining({ code: 'closed' }));
  }, 20_000);

  test('deregisters what is ephemeral and leaves what is persistent', async () => {
    const server = await scripted();
    const own = connect({ servers: server.address, protocol: 'http', push: 'off' });
    await own.register('s', { ip: '10.0.0.1', port: 1 });
    await own.register('s', { ip: '10.0.0.2', port: 1, ephemeral: false });
    await own.close();
    expect(server.to('/instance', 'DELETE').map(({ query }) => query.get('ip'))).toEqual(['10.0.0.1']);
  });

  test('BR-134, BR-135 fifty clients after each other, and twenty at once, leave no handle behind', async () => {
    const server = await scripted();
    const use = async (): Promise<void> => {
      const own = connect({ servers: server.address, protocol: 'http' });
      await own.register('s', { ip: '10.0.0.1', port: 1 });
      const view = own.subscribe('s');
      await view.ready;
      await own.close();
    };
    await use();
    const kinds = ['TCPSocketWrap', 'UDPWRAP', 'UDPWrap', 'Timeout'];
    const handles = () => process.getActiveResourcesInfo().filter((kind) => kinds.includes(kind)).length;
    await pause(50);
    const before = handles();
    for (let i = 0; i < 50; i++) await use();
    await Promise.all(Array.from({ length: 20 }, use));
    await pause(50);
    expect(handles()).toBeLessThanOrEqual(before + 2);
  }, 60_000);
});
