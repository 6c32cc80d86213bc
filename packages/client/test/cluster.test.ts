// Several servers of one cluster: one is used until it fails, the next is told everything, and a server that comes back takes
// nobody away from the one that answers.

import { afterEach, describe, expect, test } from 'vitest';
import { ScriptedGrpcServer, serviceInfo, usualGrpcAnswer } from '../src/adapters/scripted-grpc-server.test-support.js';
import { ScriptedServer, usualAnswer } from '../src/adapters/scripted-server.test-support.js';
import { RegistryClient } from '../src/app/registry-client.js';
import type { ConnectOptions } from '../src/index.js';
import { until } from './rollcall-server.test-support.js';

const ends: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Begins with the first server of the list. */
function client(options: ConnectOptions): RegistryClient {
  const made = new RegistryClient({ push: 'off', attemptTimeoutMs: 1000, ...options }, { random: () => 0 });
  ends.push(() => made.close({ deadlineMs: 500 }));
  return made;
}

describe('over HTTP', () => {
  /** A server that holds what is registered at it, and lists it beside an instance that names the server. */
  async function node(name: string, port = 0): Promise<ScriptedServer> {
    const server = await ScriptedServer.start(port);
    ends.push(() => server.close());
    let isRegistered = false;
    server.answer = (request) => {
      if (request.path.endsWith('/beat'))
        return `{"clientBeatInterval":200,"code":${isRegistered ? 10200 : 20404},"lightBeatEnabled":true}`;
      if (request.path.endsWith('/list'))
        return JSON.stringify({
          name: 'DEFAULT_GROUP@@s',
          cacheMillis: 200,
          lastRefTime: 1,
          hosts: [{ ip: name, port: 1 }],
        });
      isRegistered ||= request.method === 'POST';
      return usualAnswer(request);
    };
    return server;
  }

  const registrations = (server: ScriptedServer) => server.to('/instance', 'POST').length;

  test('the first dies: the next has registration, beats and list, and keeps them when the first is back', async () => {
    const [one, other] = [await node('one'), await node('other')];
    const own = client({ servers: [one.address, other.address], protocol: 'http' });
    const metadata = { 'preserved.heart.beat.interval': '200' };
    const handle = await own.register('s', { ip: '10.0.0.1', port: 1, metadata });
    const view = own.subscribe('s');
    await until(() => view.instances[0]?.ip === 'one' && one.to('/beat').length > 0);
    expect(other.received).toEqual([]);
    const { port } = one;
    await one.close();
    await until(() => view.instances[0]?.ip === 'other' && registrations(other) === 1);
    const beats = other.to('/beat').length;
    await until(() => other.to('/beat').length > beats + 1);
    expect([handle.isHeld, registrations(other)]).toEqual([true, 1]);
    const back = await node('one', port);
    const later = other.to('/beat').length;
    await until(() => other.to('/beat').length > later + 5);
    expect(back.received).toEqual([]);
    await other.close();
    await until(() => view.instances[0]?.ip === 'one' && registrations(back) === 1);
  }, 20_000);

  test('all die: calls say so and name every server; the first that is back is told everything', async () => {
    const [one, other] = [await node('one'), await node('other')];
    const own = client({ servers: [one.address, other.address], protocol: 'http' });
    await own.register('s', { ip: '10.0.0.1', port: 1, metadata: { 'preserved.heart.beat.interval': '200' } });
    const view = own.subscribe('s');
    await view.ready;
    const [{ port }, addresses] = [other, `("${one.address}", "${other.address}")`];
    await Promise.all([one.close(), other.close()]);
    await expect(own.services()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(addresses),
    });
    expect(view.select()?.ip).toBe('one');
    const back = await node('other', port);
    await until(() => view.instances[0]?.ip === 'other' && registrations(back) === 1);
  }, 20_000);
});

describe('over gRPC', () => {
  /** A server that lists an instance that names it. */
  async function node(name: string, port = 0): Promise<ScriptedGrpcServer> {
    const server = await ScriptedGrpcServer.start({ port });
    ends.push(() => server.close());
    server.answer = (message) =>
      message.type === 'SubscribeServiceRequest'
        ? ['SubscribeServiceResponse', { serviceInfo: serviceInfo([name]) }]
        : usualGrpcAnswer(message);
    return server;
  }

  test('the first dies: the next has registrations and subscriptions, and keeps them when the first is back', async () => {
    const [one, other] = [await node('one'), await node('other')];
    const own = client({ servers: [one.address, other.address], protocol: 'grpc', grpcPortOffset: 0 });
    await own.register('s', { ip: '10.0.0.1', port: 1 });
    await own.register('s', { ip: '10.0.0.2', port: 1 });
    const handle = await own.register('t', { ip: '10.0.0.1', port: 1 });
    const view = own.subscribe('s');
    await until(() => view.instances[0]?.ip === 'one');
    expect([one.setups, other.setups]).toEqual([1, 0]);
    const { port } = one;
    await one.close();
    await until(() => view.instances[0]?.ip === 'other' && handle.isHeld);
    expect([...other.types].sort()).toEqual(['BatchInstanceRequest', 'InstanceRequest', 'SubscribeServiceRequest']);
    const back = await node('one', port);
    expect(await own.status()).toBe('UP');
    expect([other.setups, back.setups]).toEqual([1, 0]);
    await other.close();
    await until(() => view.instances[0]?.ip === 'one' && handle.isHeld);
    expect([...back.types].sort()).toEqual(['BatchInstanceRequest', 'InstanceRequest', 'SubscribeServiceRequest']);
  }, 20_000);

  test('all die: the list stays, calls say so, and the first that is back is told everything', async () => {
    const [one, other] = [await node('one'), await node('other')];
    const own = client({ servers: [one.address, other.address], protocol: 'grpc', grpcPortOffset: 0 });
    const handle = await own.register('s', { ip: '10.0.0.1', port: 1 });
    const view = own.subscribe('s');
    await view.ready;
    const [{ port }, addresses] = [other, `("${one.address}", "${other.address}")`];
    await Promise.all([one.close(), other.close()]);
    await expect(own.services()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(addresses),
    });
    expect([handle.isHeld, view.select()?.ip]).toEqual([false, 'one']);
    const back = await node('other', port);
    await until(() => view.instances[0]?.ip === 'other' && handle.isHeld);
    expect(back.types).toHaveLength(2);
  }, 20_000);
});
