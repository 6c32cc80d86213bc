import { once } from 'node:events';
import { createServer as createHttpServer, get } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect as connectSocket, createServer as createSocketServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedServer } from '../src/adapters/scripted-server.test-support.js';
import { announce, connect, type RegistryClient } from '../src/index.js';
import { RollcallServer } from './rollcall-server.test-support.js';

let registry: RollcallServer;
let client: RegistryClient;

beforeAll(async () => {
  registry = await RollcallServer.start();
  client = connect({ servers: registry.address });
}, 30_000);

afterAll(async () => {
  await client.close();
  await registry.dispose();
});

describe('announce', () => {
  test('registers only when the server listens, with the port and address it really has', async () => {
    const server = createHttpServer();
    const announced = announce(server, { client, service: 'late', signals: [], weight: 3, metadata: { a: '1' } });
    await pause(50);
    expect(await registry.hosts('late')).toEqual([]);
    server.listen(0, '127.0.0.1');
    const { registration, stop } = await announced.then((made) => ({
      registration: made.registration,
      stop: () => made.stop(),
    }));
    const { port } = server.address() as AddressInfo;
    expect(await registry.hosts('late')).toMatchObject([{ ip: '127.0.0.1', port, weight: 3, metadata: { a: '1' } }]);
    expect(registration.instance.port).toBe(port);
    await stop();
    expect(await registry.hosts('late')).toEqual([]);
    expect(server.listening).toBe(false);
  });

  test('waits until subscribers know, lets calls under way end, then closes, and says how long each took', async () => {
    let answer: () => void = () => {};
    const server = createHttpServer((_request, response) => {
      answer = () => response.end('done');
    }).listen(0, '127.0.0.1');
    const view = client.subscribe('graceful');
    const announcement = await announce(server, { client, service: 'graceful', signals: [] });
    await view.ready;
    const { port } = server.address() as AddressInfo;
    const response = new Promise<string>((resolve) =>
      get({ port, host: '127.0.0.1' }, (incoming) => incoming.on('data', (chunk) => resolve(String(chunk)))),
    );
    await once(server, 'request');
    const stopping = announcement.stop();
    expect(announcement.stop()).toBe(stopping);
    await announcement.registration.close();
    expect(view.instances).toEqual([]);
    await pause(100);
    answer();
    expect(await response).toBe('done');
    const report = await stopping;
    expect(report).toMatchObject({
      reason: 'stop',
      deregistrationError: undefined,
      subscribers: { acknowledged: 1, pending: 0 },
      pushWaitMs: 0,
      drain: { cut: 0 },
    });
    expect(report.totalMs).toBeGreaterThanOrEqual(90);
    expect(await announcement.stopped).toBe(report);
    view.close();
  });

  test('cuts what does not end by the deadline: sockets and HTTP/2 sessions alike', async () => {
    const tcp = createSocketServer(() => {}).listen(0, '127.0.0.1');
    const http2 = createHttp2Server()
      .on('stream', () => {})
      .listen(0, '127.0.0.1');
    const reports = await Promise.all(
      [tcp, http2].map(async (server, i) => {
        const announcement = await announce(server, { client, service: `cut${i}`, signals: [], drainMs: 100 });
        const { port } = server.address() as AddressInfo;
        if (server === tcp)
          await once(
            connectSocket(port, '127.0.0.1').on('error', () => {}),
            'connect',
          );
        else {
          const session = connectHttp2(`http://127.0.0.1:${port}`).on('error', () => {});
          session.request({ ':path': '/' }).on('error', () => {});
          await once(http2, 'stream');
        }
        return announcement.stop();
      }),
    );
    for (const { drain } of reports) {
      expect(drain.cut).toBe(1);
      expect(drain.drainMs).toBeGreaterThanOrEqual(95);
    }
  });

  test('a signal does the same, and a server that closes by itself is deregistered', async () => {
    const own = (): void => {};
    process.on('SIGUSR2', own);
    const server = createHttpServer().listen(0, '127.0.0.1');
    const announcement = await announce(server, { client, service: 'signalled', signals: ['SIGUSR2'] });
    process.kill(process.pid, 'SIGUSR2');
    expect(await announcement.stopped).toMatchObject({ reason: 'SIGUSR2' });
    // The signal is sent again to a process that has no handler of its own.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    process.off('SIGUSR2', own);
    const other = createHttpServer().listen(0, '127.0.0.1');
    const closed = await announce(other, { client, service: 'closed', signals: [] });
    other.close();
    expect(await closed.stopped).toMatchObject({ reason: 'closed' });
    expect(await registry.hosts('closed')).toEqual([]);
  });

  test('against a server that does not tell who knows it waits the time of a push', async () => {
    const nacos = await ScriptedServer.start();
    const other = connect({ servers: nacos.address });
    const server = createHttpServer().listen(0, '127.0.0.1');
    const announcement = await announce(server, { client: other, service: 's', signals: [], pushTimeMs: 120 });
    const report = await announcement.stop();
    expect(report).toMatchObject({ subscribers: undefined, pushWaitMs: 120 });
    expect(report.totalMs).toBeGreaterThanOrEqual(115);
    await other.close();
    await nacos.close();
  });

  test('refuses what has no port, and a server that closes before it listens', async () => {
    const server = createHttpServer();
    const announced = announce(server, { client, service: 'never', signals: [] });
    server.emit('close');
    await expect(announced).rejects.toMatchObject({ code: 'closed' });
  });
});
