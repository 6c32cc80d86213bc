import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type RegistryClient } from '../src/index.js';
import { RollcallServer, until } from './rollcall-server.test-support.js';

let server: RollcallServer;
let client: RegistryClient;

beforeAll(async () => {
  server = await RollcallServer.start();
  client = connect({ servers: server.address, protocol: 'http' });
}, 30_000);

afterAll(async () => {
  await client.close();
  await server.dispose();
});

describe('against a Rollcall server over HTTP', () => {
  test('what is registered is listed as it was given, changed by update, and gone after close', async () => {
    const options = { ip: '10.0.0.1', port: 8080, cluster: 'c1', weight: 2.5, metadata: { zone: 'ü&=+ %' } };
    const registration = await client.register({ name: 'orders', group: 'G1' }, options);
    expect(await client.instances('G1@@orders')).toMatchObject([{ ...options, ephemeral: true, healthy: true }]);
    expect(await server.hosts('orders')).toEqual([]);
    await registration.update({ weight: 7 });
    expect(await client.instances('G1@@orders')).toMatchObject([{ ...options, weight: 7 }]);
    await registration.close();
    expect(await client.instances('G1@@orders')).toEqual([]);
  });

  test('a view is pushed to: changes arrive long before the next poll', async () => {
    const view = client.subscribe('pushed');
    expect(await view.ready).toEqual([]);
    const other = connect({ servers: server.address, protocol: 'http' });
    const before = performance.now();
    const registration = await other.register('pushed', { ip: '10.0.0.2', port: 80 });
    await until(() => view.instances.length === 1);
    await registration.close();
    await until(() => view.instances.length === 0);
    expect(performance.now() - before).toBeLessThan(5000);
    await other.close();
    view.close();
  }, 20_000);

  test('select answers from memory and never gives what a push took away', async () => {
    const one = await client.register('chosen', { ip: '10.0.0.1', port: 1 });
    const two = await client.register('chosen', { ip: '10.0.0.2', port: 1 });
    const view = client.subscribe('chosen');
    await view.ready;
    await client.select('chosen');
    await two.close({ awaitSubscribersMs: 3000 });
    for (let i = 0; i < 100; i++) expect((await client.select('chosen')).ip).toBe('10.0.0.1');
    await one.close({ awaitSubscribersMs: 3000 });
    await expect(client.select('chosen')).rejects.toMatchObject({ code: 'no-instance' });
    view.close();
  });

  test('a deregistration that waits says who knew', async () => {
    const registration = await client.register('waited', { ip: '10.0.0.1', port: 1 });
    const view = client.subscribe('waited');
    await view.ready;
    const told = await registration.close({ awaitSubscribersMs: 3000 });
    expect(told).toMatchObject({ acknowledged: 1, pending: 0 });
    expect(view.instances).toEqual([]);
    view.close();
  });

  test('pages through the names of services', async () => {
    const registrations = await Promise.all(
      ['a', 'b', 'c'].map((name) => client.register({ name, group: 'PAGES' }, { ip: '10.0.0.1', port: 1 })),
    );
    expect(await client.services({ group: 'PAGES', pageSize: 2 })).toEqual({ count: 3, names: expect.any(Array) });
    const pages = [1, 2].map((page) => client.services({ group: 'PAGES', page, pageSize: 2 }));
    expect((await Promise.all(pages)).flatMap(({ names }) => names).sort()).toEqual(['a', 'b', 'c']);
    expect(await client.status()).toBe('UP');
    await Promise.all(registrations.map((registration) => registration.close()));
  });

  test('a refusal has the code and text of the server', async () => {
    const refused = client.register('with_space in it', { ip: '10.0.0.1', port: 1 });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-parameter' });
    await expect(client.register('a', { ip: '10.0.0.1', port: 1, cluster: 'no_underscore' })).rejects.toMatchObject({
      code: 'invalid-parameter',
      status: 400,
      message: expect.stringContaining('cluster'),
    });
  });

  test('a thousand registrations in parallel all succeed, on at most eight connections', async () => {
    // A busy machine may take its time; what counts is that none fails and none needs a socket of its own.
    const bounds = { deadlineMs: 120_000 };
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = sockets();
    let most = 0;
    const many = await Promise.all(
      Array.from({ length: 1000 }, async (_, port) => {
        const registration = await client.register('many', { ip: '10.0.0.9', port: port + 1 }, bounds);
        most = Math.max(most, sockets() - before);
        return registration;
      }),
    );
    expect(most).toBeLessThanOrEqual(8);
    expect(await client.instances('many', bounds)).toHaveLength(1000);
    await Promise.all(many.map((registration) => registration.close(bounds)));
    expect(await client.instances('many', bounds)).toEqual([]);
  }, 300_000);
});

test.each(['http', 'grpc'] as const)(
  'BR-118 without a server nothing is lost: what was wanted is there once it starts, %s',
  async (protocol) => {
    const later = await RollcallServer.start();
    await later.kill();
    const early = connect({ servers: later.address, protocol });
    const view = early.subscribe('early');
    const registration = early.register('early', { ip: '10.0.0.1', port: 1 }, { deadlineMs: 60_000 });
    await expect(early.instances('early')).rejects.toMatchObject({ code: 'unreachable', server: later.address });
    const seen: number[] = [];
    view.onChange(({ instances }) => void seen.push(instances.length));
    await later.start();
    await registration;
    const other = connect({ servers: later.address, protocol });
    await other.register('early', { ip: '10.0.0.2', port: 1 });
    await until(() => seen.at(-1) === 2);
    await Promise.all([early.close(), other.close()]);
    await later.dispose();
  },
  60_000,
);
