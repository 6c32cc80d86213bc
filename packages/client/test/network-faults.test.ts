// Faults below the protocol, for HTTP and gRPC alike: a name that leads elsewhere, a machine without free ports or files, a
// link that swallows everything.

import dns, { type LookupAddress } from 'node:dns';
import net from 'node:net';
import { ManualClock, ManualTimers } from '@rollcall/runtime/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ScriptedGrpcServer, serviceInfo, usualGrpcAnswer } from '../src/adapters/scripted-grpc-server.test-support.js';
import { ScriptedServer, usualAnswer } from '../src/adapters/scripted-server.test-support.js';
import { type ClientPorts, RegistryClient } from '../src/app/registry-client.js';
import type { ConnectOptions } from '../src/index.js';
import { freePort, until } from './rollcall-server.test-support.js';
import { SwallowingProxy } from './swallowing-proxy.test-support.js';

const ends: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  vi.restoreAllMocks();
});

const PROTOCOLS = ['http', 'grpc'] as const;
const ONE = { ip: '10.0.0.1', port: 1, metadata: { 'preserved.heart.beat.interval': '200' } };

interface Node {
  readonly port: number;
  close(): Promise<void>;
}

/** A server of either protocol whose list has one instance, which names it. */
async function node(
  protocol: 'http' | 'grpc',
  name: string,
  where: { port?: number; host?: string } = {},
): Promise<Node> {
  const server = protocol === 'http' ? await httpNode(name, where) : await grpcNode(name, where);
  ends.push(() => server.close());
  return server;
}

async function httpNode(name: string, { port, host }: { port?: number; host?: string }): Promise<Node> {
  const server = await ScriptedServer.start(port, host);
  const list = { name: 'DEFAULT_GROUP@@s', cacheMillis: 200, lastRefTime: 1, hosts: [{ ip: name, port: 1 }] };
  server.answer = (request) => (request.path.endsWith('/list') ? JSON.stringify(list) : usualAnswer(request));
  return server;
}

async function grpcNode(name: string, where: { port?: number; host?: string }): Promise<Node> {
  const server = await ScriptedGrpcServer.start(where);
  server.answer = (message) =>
    message.type === 'SubscribeServiceRequest'
      ? ['SubscribeServiceResponse', { serviceInfo: serviceInfo([name]) }]
      : usualGrpcAnswer(message);
  return server;
}

function client(options: ConnectOptions, ports: Partial<ClientPorts> = {}): RegistryClient {
  const bounds = { push: 'off', attemptTimeoutMs: 500, connectTimeoutMs: 500, grpcPortOffset: 0 } as const;
  const made = new RegistryClient({ ...bounds, ...options }, { random: () => 0, ...ports });
  ends.push(() => made.close({ deadlineMs: 500 }));
  return made;
}

/** What the name `registry.test` leads to from now on; nothing: it cannot be found. */
function resolveTo(addresses: () => readonly string[]): void {
  const lookupReally = dns.lookup as (...args: unknown[]) => void;
  const lookup = (host: string, ...rest: unknown[]): void => {
    if (host !== 'registry.test') {
      lookupReally(host, ...rest);
      return;
    }
    const [options, done] = rest as [{ all?: boolean }, (...result: unknown[]) => void];
    const found: LookupAddress[] = addresses().map((address) => ({ address, family: 4 }));
    const missing = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    const result = options.all === true ? [null, found] : [null, found[0]?.address, 4];
    process.nextTick(() => done(...(found.length === 0 ? [missing] : result)));
  };
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
}

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('the name of a server leads to another address: after the old one is gone the client is there', async () => {
    let addresses = ['127.0.0.1'];
    resolveTo(() => addresses);
    const port = await freePort();
    const old = await node(protocol, 'old', { port });
    const own = client({ servers: `registry.test:${port}`, protocol });
    const handle = await own.register('s', ONE);
    const view = own.subscribe('s');
    await until(() => view.instances[0]?.ip === 'old');
    await node(protocol, 'new', { port, host: '127.0.0.2' });
    addresses = ['127.0.0.2'];
    await old.close();
    await until(() => view.instances[0]?.ip === 'new' && handle.isHeld);
  }, 20_000);

  test('a name with several addresses is tried at each of them', async () => {
    resolveTo(() => ['127.0.0.1', '127.0.0.2']);
    const port = await freePort();
    await node(protocol, 'second', { port, host: '127.0.0.2' });
    const view = client({ servers: `registry.test:${port}`, protocol }).subscribe('s');
    expect((await view.ready).map(({ ip }) => ip)).toEqual(['second']);
  }, 20_000);

  test('a name that cannot be found is said in the error, and found later', async () => {
    let addresses: string[] = [];
    resolveTo(() => addresses);
    const { port } = await node(protocol, 'late');
    const own = client({ servers: `registry.test:${port}`, protocol });
    await expect(own.instances('s')).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ENOTFOUND registry.test'),
    });
    const view = own.subscribe('s');
    addresses = ['127.0.0.1'];
    expect((await view.ready).map(({ ip }) => ip)).toEqual(['late']);
  }, 20_000);

  test.each(['EADDRNOTAVAIL', 'EMFILE'])(
    '%s for every connection: tried again in growing steps, said in the error',
    async (code) => {
      const { port } = await node(protocol, 'a');
      let refused = 0;
      const connectReally = net.connect;
      const refuse = (_host: string, _options: object, done: (error: Error) => void): void => {
        refused++;
        const error = Object.assign(new Error(`connect ${code} 127.0.0.1:${port}`), { code, syscall: 'connect' });
        process.nextTick(() => done(error));
      };
      const exhausted = ((options: net.TcpSocketConnectOpts) =>
        connectReally({ ...options, host: 'exhausted.test', lookup: refuse as never })) as typeof net.connect;
      const spy = vi.spyOn(net, 'connect').mockImplementation(exhausted);
      const own = client({ servers: `127.0.0.1:${port}`, protocol });
      const view = own.subscribe('s');
      const registered = own.register('s', ONE);
      await expect(own.instances('s')).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining(code),
      });
      await until(() => refused >= 4);
      const startedAt = performance.now();
      const before = refused;
      await until(() => performance.now() - startedAt > 400);
      expect(refused - before).toBeLessThan(10);
      spy.mockImplementation(connectReally);
      await registered;
      expect(await view.ready).toHaveLength(1);
    },
    20_000,
  );
});

test('BR-119 over gRPC a link that swallows everything is left within 20 s, and the next server is told everything', async () => {
  const [one, other] = [await ScriptedGrpcServer.start(), await ScriptedGrpcServer.start()];
  const proxy = await SwallowingProxy.start(one.port);
  ends.push(
    () => one.close(),
    () => other.close(),
    () => proxy.close(),
  );
  const clock = new ManualClock();
  const timers = new ManualTimers(clock);
  const servers = [`127.0.0.1:${proxy.port}`, other.address];
  // Tries take real time, of which a busy machine has little; what becomes due late is done while something is waited for.
  const own = client({ servers, protocol: 'grpc', attemptTimeoutMs: 3000, connectTimeoutMs: 3000 }, { clock, timers });
  const passed = (ms: number, holds: () => boolean) => {
    timers.advance(ms);
    return until(() => {
      timers.advance(0);
      return holds();
    });
  };
  const view = own.subscribe('s');
  const begun = Promise.all([own.register('s', ONE), view.ready]);
  let isBegun = false;
  void begun.then(() => {
    isBegun = true;
  });
  await passed(0, () => isBegun);
  const [handle] = await begun;
  proxy.swallow();
  other.answer = (message) =>
    message.type === 'SubscribeServiceRequest'
      ? ['SubscribeServiceResponse', { serviceInfo: serviceInfo(['other']) }]
      : usualGrpcAnswer(message);
  // Silence for 5 s makes it ask, and the answer that does not come within 3 s ends the connection.
  await passed(5000, () => !handle.isHeld);
  await passed(300, () => handle.isHeld && view.instances[0]?.ip === 'other');
});
