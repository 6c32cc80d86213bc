// Start, restart, stop, and the reasons not to start.

import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerFixture } from './started-server.test-support.js';

const ORDERS = { serviceName: 'orders', ip: '10.0.0.1', port: '8080' };

let fixture: ServerFixture;
beforeEach(() => {
  fixture = new ServerFixture();
});
afterEach(() => fixture.remove());

describe('a restart', () => {
  it('keeps ephemeral and persistent instances, edits, namespaces and created services', async () => {
    const first = await fixture.start();
    await first.text('POST', '/nacos/v1/ns/instance', ORDERS);
    await first.text('POST', '/nacos/v1/ns/instance', { ...ORDERS, port: '8081', ephemeral: 'false' });
    await first.text('PATCH', '/nacos/v1/ns/instance', { ...ORDERS, weight: '5' });
    await first.text('POST', '/nacos/v1/ns/service', { serviceName: 'made' });
    await first.text('POST', '/nacos/v2/ns/service', { serviceName: 'announced', ephemeral: 'true' });
    await first.text('POST', '/nacos/v1/console/namespaces', { customNamespaceId: 'dev', namespaceName: 'dev' });
    const before = await first.json<{ instances: object[] }>('GET', '/rollcall/v1/instances', ORDERS);
    await first.server.close();

    const second = await fixture.start();
    const after = await second.json<{ instances: object[] }>('GET', '/rollcall/v1/instances', ORDERS);
    // The persistent instance has no beats; its sign of life is the start.
    const withoutBeats = (instances: object[]) => instances.map((instance) => ({ ...instance, lastBeat: 0 }));
    expect(withoutBeats(after.instances)).toEqual(withoutBeats(before.instances));
    expect(after.instances).toHaveLength(2);
    expect(await second.text('GET', '/nacos/v1/console/namespaces')).toContain('"dev"');
    expect(await second.text('GET', '/nacos/v1/ns/service', { serviceName: 'made' })).toContain('"made"');
    const announced = await second.json('GET', '/nacos/v3/admin/ns/service', { serviceName: 'announced' });
    expect(announced).toMatchObject({ data: { ephemeral: true } });
    expect(await second.json('PUT', '/nacos/v1/ns/instance/beat', ORDERS)).toMatchObject({ code: 10200 });
  });

  it('brings nothing back that was deregistered', async () => {
    const first = await fixture.start();
    await first.text('POST', '/nacos/v1/ns/instance', ORDERS);
    await first.text('DELETE', '/nacos/v1/ns/instance', ORDERS);
    await first.server.close();
    const second = await fixture.start();
    expect(await second.json('PUT', '/nacos/v1/ns/instance/beat', ORDERS)).toMatchObject({ code: 20404 });
  });
});

describe('the end', () => {
  it('answers a request in flight, then refuses connections', async () => {
    const { server, url } = await fixture.start();
    const stream = await fetch(`${url}/rollcall/v1/watch?serviceName=orders`);
    const closed = server.close();
    expect(await stream.text()).toContain('event: list');
    await closed;
    await expect(fetch(url)).rejects.toThrow();
  });

  it('is the same for whoever asks for it', async () => {
    const { server } = await fixture.start();
    await Promise.all([server.close(), server.close()]);
  });
});

describe('a start that fails', () => {
  it('says that the port is taken, and leaves the directory free', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await expect(fixture.start({ port: String(port) })).rejects.toMatchObject({
      exit: 'address-in-use',
      message: expect.stringContaining(`Cannot listen on 127.0.0.1:${port}`),
    });
    other.close();
    await fixture.start();
  });

  it('says that the directory is in use, and by whom', async () => {
    await fixture.start();
    await expect(fixture.start()).rejects.toMatchObject({
      exit: 'data-dir-locked',
      message: expect.stringContaining(String(process.pid)),
    });
  });

  it.each(['192.0.2.1', 'no.such.host.invalid'])('says that %s is no address of this machine', async (host) => {
    await expect(fixture.start({ host })).rejects.toMatchObject({
      exit: 'address-unavailable',
      message: expect.stringContaining(`"${host}" is no address of this machine`),
    });
  });
});

it('answers below another context path, and below none', async () => {
  const { url, server } = await fixture.start({ contextPath: '/registry/one' });
  const status = async (path: string) => (await fetch(`${url}${path}/v1/ns/instance/list?serviceName=x`)).status;
  expect(await status('/registry/one')).toBe(200);
  expect(await status('')).toBe(200);
  expect(await status('/nacos')).toBe(404);
  await server.close();
});

it('logs one line per change of state and none per beat', async () => {
  const server = await fixture.start();
  await server.text('POST', '/nacos/v1/ns/instance', ORDERS);
  for (let i = 0; i < 3; i++) await server.json('PUT', '/nacos/v1/ns/instance/beat', ORDERS);
  await server.text('DELETE', '/nacos/v1/ns/instance', ORDERS);
  const lines = fixture.logger.lines.filter(({ event }) => event.startsWith('instance-'));
  expect(lines.map(({ level, event }) => `${level} ${event}`)).toEqual([
    'info instance-registered',
    'info instance-removed',
  ]);
  expect(lines[0]?.fields).toMatchObject({
    namespace: 'public',
    service: 'DEFAULT_GROUP@@orders',
    ip: '10.0.0.1',
    port: 8080,
    cause: 'registered',
    via: 'http-v1',
    peer: '127.0.0.1',
  });
});
