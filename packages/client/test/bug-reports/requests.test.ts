// Reports about what a client sends and how it takes refusals, against servers that a test answers for.

import dns from 'node:dns';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ScriptedGrpcServer, usualGrpcAnswer } from '../../src/adapters/scripted-grpc-server.test-support.js';
import { ScriptedServer, usualAnswer } from '../../src/adapters/scripted-server.test-support.js';
import { type ConnectOptions, connect, type RegistryClient } from '../../src/index.js';
import { type NacosInstance, NacosNamingClient } from '../../src/nacos.js';
import { freePort, until } from '../rollcall-server.test-support.js';

const ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

const ONE = { ip: '10.0.0.1', port: 1 };

async function scripted(): Promise<ScriptedServer> {
  const server = await ScriptedServer.start();
  ends.push(() => server.close());
  return server;
}

async function scriptedGrpc(): Promise<ScriptedGrpcServer> {
  const server = await ScriptedGrpcServer.start();
  ends.push(() => server.close());
  return server;
}

function client(options: ConnectOptions): RegistryClient {
  const made = connect({ protocol: 'http', push: 'off', ...options });
  ends.push(() => made.close({ deadlineMs: 500 }));
  return made;
}

/** A logger that keeps its lines. */
function recorder() {
  const lines: { event: string; fields: Record<string, unknown> }[] = [];
  const logger = {
    isEnabled: () => true,
    log: (_level: string, event: string, fields = {}) => void lines.push({ event, fields }),
  };
  return { lines, logger };
}

test('BR-102 clients of two servers share neither listeners nor lists nor files', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'rollcall-two-servers-'));
  ends.push(() => rm(directory, { recursive: true, force: true }));
  const list = (ip: string) => `{"name":"DEFAULT_GROUP@@s","cacheMillis":100,"hosts":[{"ip":"${ip}","port":1}]}`;
  const sides = await Promise.all(
    ['10.0.0.1', '10.0.0.2'].map(async (ip) => {
      const server = await scripted();
      server.answer = () => list(ip);
      const folder = path.join(directory, ip);
      const own = client({ servers: server.address, cache: { directory: folder } });
      const view = own.subscribe('s');
      const seen: string[] = [];
      view.onChange(({ instances }) => void seen.push(instances.map((instance) => instance.ip).join()));
      await view.ready;
      return { server, seen, file: path.join(folder, 'nacos', 'naming', 'public', 'DEFAULT_GROUP%40%40s') };
    }),
  );
  const [first, second] = sides as [(typeof sides)[0], (typeof sides)[0]];
  first.server.answer = () => list('10.0.0.9');
  await until(() => first.seen.length === 2);
  const polls = second.server.received.length;
  await until(() => second.server.received.length > polls + 2);
  expect([first.seen, second.seen]).toEqual([['10.0.0.1', '10.0.0.9'], ['10.0.0.2']]);
  await until(async () => (await readFile(first.file, 'utf8').catch(() => '')) === list('10.0.0.9'));
  expect(await readFile(second.file, 'utf8')).toBe(list('10.0.0.2'));
});

test('BR-124 beats name group and cluster', async () => {
  const server = await scripted();
  server.answer = (request) =>
    request.path.endsWith('/beat') ? '{"clientBeatInterval":50,"code":10200}' : usualAnswer(request);
  const metadata = { 'preserved.heart.beat.interval': '50' };
  await client({ servers: server.address }).register({ name: 's', group: 'g1' }, { ...ONE, cluster: 'c1', metadata });
  await until(() => server.to('/beat').length >= 3);
  for (const { query, body } of server.to('/beat')) {
    expect([query.get('serviceName'), query.get('clusterName')]).toEqual(['g1@@s', 'c1']);
    const beat = JSON.parse(new URLSearchParams(body).get('beat') ?? '');
    expect([beat.serviceName, beat.cluster]).toEqual(['g1@@s', 'c1']);
  }
});

describe('BR-127 the namespace', () => {
  async function useAll(own: RegistryClient, beaten: () => boolean): Promise<void> {
    const registration = await own.register('s', { ...ONE, metadata: { 'preserved.heart.beat.interval': '50' } });
    const view = own.subscribe('s');
    await view.ready;
    await own.instances('s');
    await own.services();
    await until(beaten);
    view.close();
    await registration.close();
  }

  test('is in every request over HTTP', async () => {
    const server = await scripted();
    server.answer = (request) =>
      request.path.endsWith('/service/list') ? '{"count":0,"doms":[]}' : usualAnswer(request);
    await useAll(client({ servers: server.address, namespace: 'n1' }), () => server.to('/beat').length > 0);
    const asked = server.received.map(({ method, path: to, query }) => `${method} ${to} ${query.get('namespaceId')}`);
    expect([...new Set(asked)].sort()).toEqual([
      'DELETE /nacos/v1/ns/instance n1',
      'GET /nacos/v1/ns/instance/list n1',
      'GET /nacos/v1/ns/service/list n1',
      'POST /nacos/v1/ns/instance n1',
      'PUT /nacos/v1/ns/instance/beat n1',
    ]);
  });

  test('is in the setup and in every request over gRPC', async () => {
    const server = await scriptedGrpc();
    const own = client({ servers: server.address, protocol: 'grpc', grpcPortOffset: 0, namespace: 'n1' });
    await useAll(own, () => true);
    expect(server.setUp.map(({ body }) => body.tenant)).toEqual(['n1']);
    await until(() => server.types.filter((type) => type === 'SubscribeServiceRequest').length === 2);
    expect(new Set(server.types)).toEqual(
      new Set(['InstanceRequest', 'SubscribeServiceRequest', 'ServiceQueryRequest', 'ServiceListRequest']),
    );
    for (const { body } of server.received) expect(body.namespace).toBe('n1');
  });
});

describe('BR-133 a registration that is refused', () => {
  test.each([
    [403, 'no write permission for namespace "n1"', 'access-denied'],
    [400, 'namespace n1 does not exist', 'invalid-parameter'],
  ])('with status %d says so, with the words of the server, and is logged', async (status, body, code) => {
    const server = await scripted();
    server.answer = () => ({ status, body });
    const { lines, logger } = recorder();
    await expect(client({ servers: server.address, logger }).register('s', ONE)).rejects.toMatchObject({
      code,
      status,
      message: expect.stringContaining(body),
    });
    expect(lines).toContainEqual({
      event: 'registration-failed',
      fields: expect.objectContaining({ service: 'public##DEFAULT_GROUP@@s', server: server.address }),
    });
  });

  test.each([
    ['grpc', 400, 'invalid-parameter'],
    ['grpc', 403, 'access-denied'],
  ] as const)('over %s with error code %d says so, with the words of the server', async (protocol, errorCode, code) => {
    const server = await scriptedGrpc();
    const refusal = { resultCode: 500, errorCode, message: 'namespace n1 is not yours' };
    server.answer = (message) =>
      message.type === 'InstanceRequest' ? ['InstanceResponse', refusal] : usualGrpcAnswer(message);
    const { lines, logger } = recorder();
    const own = client({ servers: server.address, protocol, grpcPortOffset: 0, logger });
    await expect(own.register('s', ONE)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('namespace n1 is not yours'),
    });
    expect(lines).toContainEqual({
      event: 'registration-failed',
      fields: expect.objectContaining({ server: server.address }),
    });
  });

  test.each(['http', 'grpc'] as const)(
    'for a time only, until the deadline: the error has the last words over %s',
    async (protocol) => {
      const [http, grpc] = [await scripted(), await scriptedGrpc()];
      http.answer = () => ({ status: 500, body: 'disk of the registry is full' });
      grpc.answer = (message) =>
        message.type === 'InstanceRequest'
          ? ['InstanceResponse', { resultCode: 500, errorCode: 500, message: 'disk of the registry is full' }]
          : usualGrpcAnswer(message);
      const servers = protocol === 'http' ? http.address : grpc.address;
      const own = client({ servers, protocol, grpcPortOffset: 0 });
      const error = await own.register('s', ONE, { deadlineMs: 2000 }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'deadline-exceeded',
        server: servers,
        message: expect.stringContaining('disk of the registry is full'),
      });
    },
  );
});

test.each(['http', 'grpc', 'auto'] as const)('BR-133 without a server the error says why: %s', async (protocol) => {
  const servers = `127.0.0.1:${await freePort()}`;
  const own = client({ servers, protocol });
  const why = { code: 'deadline-exceeded', message: expect.stringContaining('ECONNREFUSED') };
  await Promise.all([
    expect(own.register('s', ONE, { deadlineMs: 2000 })).rejects.toMatchObject(why),
    expect(own.select('s', { deadlineMs: 2000 })).rejects.toMatchObject(why),
  ]);
});

test('BR-139 one server that cuts two connections answers the third: gRPC', async () => {
  const server = await scriptedGrpc();
  const cuts = new Map<string, number>();
  server.answer = (message) => {
    const before = cuts.get(message.type) ?? 0;
    if (message.type === 'ServerCheckRequest' || before === 2) return usualGrpcAnswer(message);
    cuts.set(message.type, before + 1);
    server.cut();
    return 'silent';
  };
  const own = client({ servers: server.address, protocol: 'grpc', grpcPortOffset: 0 });
  expect(await own.instances('s')).toEqual([]);
  expect(await own.services()).toEqual({ count: 0, names: [] });
  await own.register('s', ONE);
  expect([...cuts.values()]).toEqual([2, 2, 2]);
});

test('BR-118 a first look-up without a server ends at its deadline', async () => {
  const own = new NacosNamingClient({ serverList: `127.0.0.1:${await freePort()}` });
  ends.push(() => own.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const refused = own.getAllInstances('s').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(15_000);
  vi.useRealTimers();
  expect(await refused).toMatchObject({ code: 'deadline-exceeded' });
});

/** Lets every name be unknown until it is found. */
function unknownNames() {
  const names = { found: false, lookups: 0 };
  const lookup = (name: string, options: { all?: boolean }, done: (...answer: unknown[]) => void) => {
    names.lookups++;
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    const answer = options.all ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4];
    setImmediate(() => (names.found ? done(null, ...answer) : done(error)));
  };
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup as never);
  ends.push(() => spy.mockRestore());
  return names;
}

test.each(['http', 'grpc'] as const)(
  'BR-136 a name that cannot be resolved is looked up with growing pauses, and found once it is there: %s',
  async (protocol) => {
    const { port } = protocol === 'http' ? await scripted() : await scriptedGrpc();
    const names = unknownNames();
    const own = client({ servers: `no-such.invalid:${port}`, protocol, grpcPortOffset: 0 });
    await expect(own.instances('s')).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ENOTFOUND'),
    });
    const registered = own.register('s', ONE);
    await pause(2000);
    expect(names.lookups).toBeGreaterThan(2);
    expect(names.lookups).toBeLessThan(30);
    names.found = true;
    await registered;
  },
  20_000,
);

test.each<Partial<NacosInstance>>([
  {},
  { healthy: undefined, enabled: undefined, valid: undefined } as never,
  { healthy: null, enabled: null, ephemeral: null } as never,
])('BR-153 flags that are not set are true: %j', async (flags) => {
  const server = await scripted();
  const own = new NacosNamingClient({ serverList: server.address });
  ends.push(() => own.close());
  await own.registerInstance('s', { ...ONE, ...flags });
  const { healthy, enable, ephemeral } = Object.fromEntries(server.to('/instance', 'POST')[0]?.query ?? []);
  expect([healthy, enable, ephemeral]).toEqual(['true', 'true', 'true']);
});
