import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connect } from '../src/index.js';
import { RollcallServer, until } from './rollcall-server.test-support.js';

const ended: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** A 1.x server: HTTP only, takes any registration and lists none. */
async function oldServer(
  status = 'UP',
): Promise<{ address: string; registered: string[]; setStatus(to: string): void }> {
  const registered: string[] = [];
  let current = status;
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://any');
    if (url.pathname.endsWith('/metrics') && current === 'FORBIDDEN') response.writeHead(403).end('no');
    else if (url.pathname.endsWith('/metrics')) response.end(JSON.stringify({ status: current }));
    else if (request.method === 'POST') response.end('ok', () => registered.push(url.searchParams.get('ip') ?? ''));
    else if (request.method === 'DELETE') response.end('ok');
    else if (url.pathname.endsWith('/beat')) response.end('{"clientBeatInterval":5000,"code":10200}');
    else response.end(JSON.stringify({ name: url.searchParams.get('serviceName'), hosts: [] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ended.push(async () => server.close());
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, registered, setStatus: (to) => (current = to) };
}

test('BR-118 a server that speaks gRPC is spoken to over gRPC, also when it comes later', async () => {
  const server = await RollcallServer.start();
  ended.push(() => server.dispose());
  await server.kill();
  const client = connect({ servers: server.address, protocol: 'auto' });
  ended.push(() => client.close());
  expect(client.protocol).toBe('unknown');
  const view = client.subscribe('orders');
  const registration = client.register('orders', { ip: '10.0.0.1', port: 1 }, { deadlineMs: 50_000 });
  await server.start();
  await registration;
  expect(client.protocol).toBe('grpc');
  await until(() => view.instances.length === 1);
}, 60_000);

test('a server that speaks HTTP only is spoken to over HTTP, and gets what was wanted before that was known', async () => {
  const server = await oldServer();
  const client = connect({ servers: server.address, protocol: 'auto' });
  ended.push(() => client.close());
  const view = client.subscribe('orders');
  await client.register('orders', { ip: '10.0.0.1', port: 1 });
  expect(client.protocol).toBe('http');
  expect(server.registered).toEqual(['10.0.0.1']);
  expect(await view.ready).toEqual([]);
}, 20_000);

test('a server that says it is not ready yet decides nothing', async () => {
  const server = await oldServer('DOWN');
  const client = connect({ servers: server.address, protocol: 'auto' });
  ended.push(() => client.close());
  await expect(client.register('a', { ip: '10.0.0.1', port: 1 }, { deadlineMs: 1500 })).rejects.toMatchObject({
    code: 'deadline-exceeded',
  });
  expect(client.protocol).toBe('unknown');
  server.setStatus('UP');
  await until(() => client.protocol === 'http');
  expect(server.registered).toEqual([]);
}, 20_000);

test('a server that refuses the question speaks HTTP all the same', async () => {
  const server = await oldServer('FORBIDDEN');
  const client = connect({ servers: server.address, protocol: 'auto' });
  ended.push(() => client.close());
  await client.register('orders', { ip: '10.0.0.1', port: 1 });
  expect(client.protocol).toBe('http');
}, 20_000);

test('without any server close is quick and nothing is left behind', async () => {
  const client = connect({ servers: '127.0.0.1:1', protocol: 'auto' });
  const registration = client.register('a', { ip: '10.0.0.1', port: 1 });
  const view = client.subscribe('a');
  const before = performance.now();
  const closed = client.close();
  await expect(registration).rejects.toMatchObject({ code: 'closed' });
  await expect(view.ready).rejects.toMatchObject({ code: 'closed' });
  await closed;
  expect(performance.now() - before).toBeLessThan(2000);
});
