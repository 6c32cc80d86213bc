// Faults that clients over gRPC meet: after each one the right list and the right registrations are back within the stated
// time, every push is acknowledged, and nothing is left behind after close.

import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { frameMessage } from '@rollcall/protocol';
import { ManualClock, ManualTimers } from '@rollcall/runtime/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { ScriptedGrpcServer, serviceInfo, usualGrpcAnswer } from '../src/adapters/scripted-grpc-server.test-support.js';
import { ScriptedServer } from '../src/adapters/scripted-server.test-support.js';
import { RegistryClient } from '../src/app/registry-client.js';
import type { ConnectOptions } from '../src/index.js';
import { freePort, until } from './rollcall-server.test-support.js';

const ends: (() => Promise<unknown> | unknown)[] = [];
const rejections: unknown[] = [];
process.on('unhandledRejection', (error) => rejections.push(error));

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  expect(rejections).toEqual([]);
});

async function scripted(options: Parameters<typeof ScriptedGrpcServer.start>[0] = {}): Promise<ScriptedGrpcServer> {
  const server = await ScriptedGrpcServer.start(options);
  ends.push(() => server.close());
  return server;
}

function client(servers: string | readonly string[], options: ConnectOptions = {}, ports = {}): RegistryClient {
  const made = new RegistryClient(
    { servers, protocol: 'grpc', grpcPortOffset: 0, attemptTimeoutMs: 1000, ...options },
    ports,
  );
  ends.push(() => made.close({ deadlineMs: 500 }));
  return made;
}

const ONE = { ip: '10.0.0.1', port: 1 };
const register = (server: ScriptedGrpcServer) => server.types.filter((type) => type === 'InstanceRequest').length;

describe('a connection that ends', () => {
  const ways: [string, (server: ScriptedGrpcServer) => void][] = [
    ['by a reset', (server) => server.cut()],
    ['by the end of its stream with status 0', (server) => server.endStreams()],
    ['by a goodbye', (server) => server.sayGoodbye()],
  ];
  test.each(ways)('%s is replaced, and the new one is told everything, within a second', async (_way, end) => {
    const server = await scripted();
    const own = client(server.address);
    await own.register('s', ONE);
    const view = own.subscribe('s');
    await view.ready;
    const before = performance.now();
    end(server);
    await until(
      () => register(server) === 2 && server.types.filter((type) => type.startsWith('Subscribe')).length === 2,
    );
    expect(performance.now() - before).toBeLessThan(3000);
    await until(() => server.connections === 1);
  });

  test('takes the client to the other server', async () => {
    const [one, other] = [await scripted(), await scripted()];
    const own = client([one.address, other.address], {}, { random: () => 0 });
    await own.register('s', ONE);
    expect([one.setups, other.setups]).toEqual([1, 0]);
    await one.close();
    await until(() => register(other) === 1);
  });

  test('BR-073 because the server does not know it any more is replaced at once', async () => {
    const server = await scripted();
    const own = client(server.address);
    await own.register('s', ONE);
    let refused = 0;
    server.answer = (message) => {
      if (message.type !== 'ServiceQueryRequest' || refused++ > 0) return usualGrpcAnswer(message);
      return ['ErrorResponse', { resultCode: 500, errorCode: 301, message: 'Connection is unregistered.' }];
    };
    expect(await own.instances('s')).toEqual([]);
    await until(() => register(server) === 2);
    expect(server.setups).toBe(2);
  });
});

describe('a server that says nothing', () => {
  test('on an open connection is left after the time for one call and one check', async () => {
    const [one, other] = [await scripted(), await scripted()];
    const own = client([one.address, other.address], { attemptTimeoutMs: 200 }, { random: () => 0 });
    await own.register('s', ONE);
    one.answer = () => 'silent';
    const before = performance.now();
    await expect(own.instances('s')).rejects.toMatchObject({ code: 'deadline-exceeded', server: one.address });
    await until(() => register(other) === 1);
    expect(performance.now() - before).toBeLessThan(3000);
  });

  test('is found out without any call, after five seconds of silence and one check', async () => {
    const server = await scripted();
    const clock = new ManualClock();
    const timers = new ManualTimers(clock);
    const own = client(server.address, { attemptTimeoutMs: 200 }, { clock, timers, random: () => 0 });
    await until(() => server.setups === 1);
    await own.register('s', ONE);
    server.answer = (message) => (message.type === 'HealthCheckRequest' ? 'silent' : usualGrpcAnswer(message));
    timers.advance(5000);
    await until(() => register(server) === 2);
    expect(server.setups).toBe(2);
  });

  test('after the machine slept is asked once, and kept when it answers', async () => {
    const server = await scripted();
    const clock = new ManualClock();
    const timers = new ManualTimers(clock);
    const own = client(server.address, {}, { clock, timers });
    await own.register('s', ONE);
    let checks = 0;
    server.answer = (message) => {
      if (message.type === 'HealthCheckRequest') checks++;
      return usualGrpcAnswer(message);
    };
    clock.setWall(0);
    timers.suspend(3_600_000);
    await until(() => checks === 1);
    expect(await own.status()).toBe('UP');
    expect([server.setups, checks]).toEqual([1, 2]);
  });

  test('from the first byte on is passed over for the next', async () => {
    const sockets: Socket[] = [];
    const hole: Server = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(hole, 'listening');
    ends.push(() => {
      for (const socket of sockets) socket.destroy();
      hole.close();
    });
    const server = await scripted();
    const address = `127.0.0.1:${(hole.address() as { port: number }).port}`;
    const own = client([address, server.address], { connectTimeoutMs: 200 }, { random: () => 0 });
    await own.register('s', ONE);
    expect(sockets).toHaveLength(1);
  });
});

describe('wrong answers', () => {
  const wrong: [string, ReturnType<ScriptedGrpcServer['answer']>][] = [
    ['a page of a proxy', 'html'],
    ['bytes that are no message', Buffer.from('HTTP/1.1 400 Bad Request')],
    ['a payload that is none', Buffer.from(frameMessage(Buffer.from('no protobuf')))],
    ['an empty message', Buffer.from(frameMessage(new Uint8Array(0)))],
    [
      'a fault of the server',
      ['ErrorResponse', { resultCode: 500, errorCode: 500, message: 'java.lang.NullPointerException' }],
    ],
    ['nothing but an end', Buffer.alloc(0)],
  ];
  test.each(wrong)('%s is no answer: the registration is tried again', async (_what, answer) => {
    const server = await scripted();
    const own = client(server.address, {}, { random: () => 0 });
    let wrongs = 0;
    server.answer = (message) =>
      message.type === 'InstanceRequest' && wrongs++ === 0 ? answer : usualGrpcAnswer(message);
    await own.register('s', ONE);
    expect([register(server), server.setups]).toEqual([2, 1]);
  });

  test.each(wrong)('%s to the server check is no server', async (_what, answer) => {
    const server = await scripted();
    server.answer = () => answer;
    const own = client(server.address, { connectTimeoutMs: 300 });
    await expect(own.instances('s')).rejects.toMatchObject({ code: 'unreachable', server: server.address });
    server.answer = usualGrpcAnswer;
    await own.register('s', ONE);
  });

  test('a server that promises to acknowledge the setup is waited for, one that does not is not', async () => {
    const old = await scripted();
    old.acknowledgesSetup = false;
    old.answer = (message) =>
      message.type === 'ServerCheckRequest' ? ['ServerCheckResponse', { connectionId: 'x' }] : usualGrpcAnswer(message);
    const own = client(old.address);
    await own.register('s', ONE);
    expect(old.setups).toBe(1);
  });
});

test('a server whose gRPC port would be above 65535 is none, and the error says so', async () => {
  const own = client('127.0.0.1:65000', { grpcPortOffset: 1000 });
  await expect(own.instances('s')).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('66000 is above 65535'),
  });
});

describe('pushes', () => {
  async function following(): Promise<{ server: ScriptedGrpcServer; own: RegistryClient; ips: () => string[] }> {
    const server = await scripted();
    const own = client(server.address);
    const view = own.subscribe('s');
    await view.ready;
    return { server, own, ips: () => view.instances.map(({ ip }) => ip) };
  }

  test('are taken and acknowledged by their id, unknown ones and unreadable ones with an error', async () => {
    const { server, ips } = await following();
    server.pushList('7', serviceInfo(['10.0.0.1'], { lastRefTime: 2 }));
    server.push('ClientDetectionRequest', { headers: {}, requestId: '8' });
    server.push('WhatIsThisRequest', { headers: {}, requestId: '9' });
    server.pushList('10', { name: 's', hosts: 'none' });
    await until(() => server.said.length === 4);
    expect(server.said.map(({ type, body }) => [type, body.requestId, body.resultCode])).toEqual([
      ['NotifySubscriberResponse', '7', 200],
      ['ClientDetectionResponse', '8', 200],
      ['ErrorResponse', '9', 500],
      ['ErrorResponse', '10', 500],
    ]);
    expect(ips()).toEqual(['10.0.0.1']);
  });

  test('of an older version do not win, and make the client ask', async () => {
    const { server, ips } = await following();
    server.answer = (message) =>
      message.type === 'SubscribeServiceRequest'
        ? ['SubscribeServiceResponse', { serviceInfo: serviceInfo(['10.0.0.3'], { lastRefTime: 6 }) }]
        : usualGrpcAnswer(message);
    server.pushList('1', serviceInfo(['10.0.0.2'], { lastRefTime: 5 }));
    server.pushList('2', serviceInfo(['10.0.0.1'], { lastRefTime: 4 }));
    await until(() => server.said.length === 2);
    expect(ips()).toEqual(['10.0.0.2']);
    await until(() => ips()[0] === '10.0.0.3');
  });

  test('that are empty are taken: the last instance has left', async () => {
    const { server, ips } = await following();
    server.pushList('1', serviceInfo(['10.0.0.2'], { lastRefTime: 5 }));
    await until(() => ips().length === 1);
    server.pushList('2', serviceInfo([], { lastRefTime: 6 }));
    await until(() => ips().length === 0);
  });

  test('ten thousand at once are all acknowledged, and the last one is the list', async () => {
    const { server, ips } = await following();
    const before = performance.now();
    for (let i = 1; i <= 10_000; i++)
      server.pushList(String(i), serviceInfo([`10.1.${i >> 8}.${i & 255}`], { lastRefTime: i + 1 }));
    await until(() => server.said.length === 10_000);
    expect(ips()).toEqual(['10.1.39.16']);
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(server.setups).toBe(1);
  }, 40_000);

  test('of ten thousand instances arrive whole', async () => {
    const { server, ips } = await following();
    const all = Array.from({ length: 10_000 }, (_, i) => `10.1.${i >> 8}.${i & 255}`);
    server.pushList('1', serviceInfo(all, { lastRefTime: 2 }));
    await until(() => ips().length === 10_000);
    await until(() => server.said.length === 1);
  }, 20_000);
});

describe('a server that sends its client away', () => {
  test('to one that it names: the client goes there, tells it everything, then leaves', async () => {
    const [one, other] = [await scripted(), await scripted()];
    const own = client([one.address, other.address], {}, { random: () => 0 });
    await own.register('s', ONE);
    one.push('ConnectResetRequest', {
      headers: {},
      requestId: '9',
      serverIp: '127.0.0.1',
      serverPort: String(other.port),
    });
    await until(() => register(other) === 1);
    expect([one.said.map(({ type }) => type), one.connections]).toEqual([['ConnectResetResponse'], 1]);
    await until(() => one.connections === 0);
    expect([one.setups, other.setups, register(other)]).toEqual([1, 1, 1]);
  });
});

describe('who calls', () => {
  /** A server with HTTP on its main port and gRPC behind it. */
  async function withHttp(): Promise<{ http: ScriptedServer; grpc: ScriptedGrpcServer; options: ConnectOptions }> {
    const [low, high] = [await freePort(), await freePort()].sort((a, b) => a - b) as [number, number];
    const http = await ScriptedServer.start(low);
    ends.push(() => http.close());
    const grpc = await scripted({ port: high });
    return { http, grpc, options: { servers: `127.0.0.1:${low}`, grpcPortOffset: high - low } };
  }

  test('BR-145 is said by a token, which is renewed once when it is refused', async () => {
    const { http, grpc, options } = await withHttp();
    let logins = 0;
    http.answer = () => JSON.stringify({ accessToken: `t${++logins}`, tokenTtl: 18_000 });
    grpc.answer = (message) =>
      message.type === 'InstanceRequest' && message.headers.get('accesstoken') !== 't1'
        ? ['InstanceResponse', { resultCode: 500, errorCode: 403, message: 'token expired!' }]
        : usualGrpcAnswer(message);
    const own = client([], { ...options, credentials: { username: 'u', password: 'p' } });
    await own.register('s', ONE);
    const refused = own.register('s', { ...ONE, port: 2 });
    grpc.answer = (message) =>
      message.type === 'BatchInstanceRequest'
        ? ['BatchInstanceResponse', { resultCode: 500, errorCode: 403, message: 'authorization failed!' }]
        : usualGrpcAnswer(message);
    await expect(refused).rejects.toMatchObject({ code: 'access-denied' });
    expect(logins).toBeLessThanOrEqual(2);
    expect(own.protocol).toBe('grpc');
  });

  test('is said by a signature over time, group and service', async () => {
    const server = await scripted();
    const own = client(server.address, { accessKey: { accessKey: 'ak', secretKey: 'sk' }, app: 'shop' });
    await own.register('s', ONE);
    const { headers } = server.received[0] as (typeof server.received)[0];
    expect(headers.get('ak')).toBe('ak');
    expect(headers.get('data')).toMatch(/^\d{13}@@DEFAULT_GROUP@@s$/);
    expect(headers.get('signature')).toMatch(/^[A-Za-z0-9+/]{27}=$/);
    expect(headers.get('app')).toBe('shop');
  });

  test('a server that takes no persistent instances over gRPC gets them over HTTP', async () => {
    const { http, grpc, options } = await withHttp();
    grpc.acknowledgesSetup = false;
    grpc.answer = (message) =>
      message.type === 'ServerCheckRequest' ? ['ServerCheckResponse', {}] : usualGrpcAnswer(message);
    const own = client([], options);
    await own.register('s', { ...ONE, ephemeral: false });
    expect(http.received.map(({ method, query }) => [method, query.get('ephemeral')])).toEqual([['POST', 'false']]);
    expect(grpc.received).toEqual([]);
  });
});

describe('two registrations of one address', () => {
  test('are one: the second gives the content, and the end of the first leaves it', async () => {
    const server = await scripted();
    const own = client(server.address);
    const first = await own.register('s', ONE);
    const second = await own.register('s', { ...ONE, weight: 5 });
    await first.close();
    expect(server.received.map(({ body }) => body.type)).toEqual(['registerInstance', 'registerInstance']);
    await second.close();
    expect(server.received.at(-1)?.body.type).toBe('deregisterInstance');
  });
});

describe('close', () => {
  test.each([0, 1, 2, 4, 8, 16, 32])(
    'after %i turns of the loop ends everything, whatever was under way',
    async (turns) => {
      const server = await scripted();
      const own = client(server.address);
      const calls = Promise.allSettled([
        own.register('s', ONE),
        own.instances('s'),
        own.services(),
        own.subscribe('s').ready,
      ]);
      for (let i = 0; i < turns; i++) await new Promise(setImmediate);
      const before = performance.now();
      await own.close();
      await calls;
      expect(performance.now() - before).toBeLessThan(3000);
      await until(() => server.connections === 0);
    },
  );

  test('BR-135 rejects what comes after it, and a second one is the first', async () => {
    const server = await scripted();
    const own = client(server.address);
    const view = own.subscribe('s');
    await view.ready;
    await Promise.all([own.close(), own.close()]);
    await expect(own.instances('s')).rejects.toMatchObject({ code: 'closed' });
    expect(server.types).toContain('SubscribeServiceRequest');
  });

  test('BR-134 and fifty clients that come and go leave no socket behind', async () => {
    const server = await scripted();
    const sockets = () =>
      process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP') || name === 'Timeout').length;
    const before = sockets();
    for (let i = 0; i < 50; i++) {
      const own = client(server.address);
      await own.register('s', { ...ONE, port: i + 1 });
      await own.close();
    }
    await until(() => server.connections === 0 && sockets() <= before);
  }, 30_000);
});
