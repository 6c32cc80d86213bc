import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type RegistryClient } from '../src/index.js';
import { RollcallServer, until } from './rollcall-server.test-support.js';

let server: RollcallServer;
let client: RegistryClient;

beforeAll(async () => {
  server = await RollcallServer.start();
  client = connect({ servers: server.address, protocol: 'grpc' });
}, 60_000);

afterAll(async () => {
  await client.close();
  await server.dispose();
});

describe('against a Rollcall server over gRPC', () => {
  test('what is registered is listed as it was given, changed by update, and gone after close', async () => {
    const options = { ip: '10.0.0.1', port: 8080, cluster: 'c1', weight: 2.5, metadata: { zone: 'ü&=+ %' } };
    const registration = await client.register({ name: 'orders', group: 'G1' }, options);
    expect(await client.instances('G1@@orders')).toMatchObject([{ ...options, ephemeral: true, healthy: true }]);
    await registration.update({ weight: 7 });
    expect(await client.instances('G1@@orders')).toMatchObject([{ ...options, weight: 7 }]);
    await registration.close();
    expect(await client.instances('G1@@orders')).toEqual([]);
  });

  test('BR-066 two instances of one client in one service stand side by side, which the Java client cannot', async () => {
    const one = await client.register('pair', { ip: '10.0.0.1', port: 1 });
    const two = await client.register('pair', { ip: '10.0.0.1', port: 2 });
    expect((await server.hosts('pair')).map(({ port }) => port)).toEqual([1, 2]);
    await one.close();
    expect((await server.hosts('pair')).map(({ port }) => port)).toEqual([2]);
    await two.close();
    expect(await server.hosts('pair')).toEqual([]);
  });

  test('what one client over gRPC registers another over HTTP sees, and the other way round', async () => {
    const other = connect({ servers: server.address, protocol: 'http' });
    const [ours, theirs] = [client.subscribe('mixed'), other.subscribe('mixed')];
    await Promise.all([ours.ready, theirs.ready]);
    await client.register('mixed', { ip: '10.0.0.1', port: 1 });
    await other.register('mixed', { ip: '10.0.0.2', port: 1 });
    for (const view of [ours, theirs]) await until(() => view.instances.length === 2);
    await other.close();
    await until(() => ours.instances.length === 1);
    ours.close();
  }, 20_000);

  test('a deregistration that waits says who knew', async () => {
    const registration = await client.register('waited', { ip: '10.0.0.1', port: 1 });
    const view = client.subscribe('waited');
    await view.ready;
    expect(await registration.close({ awaitSubscribersMs: 3000 })).toMatchObject({ acknowledged: 1, pending: 0 });
    expect(view.instances).toEqual([]);
    view.close();
  });

  test('BR-103 the last view that is closed ends the subscription, none before', async () => {
    const [view, other] = [client.subscribe('left'), client.subscribe('left', { clusters: ['c'] })];
    await view.ready;
    const subscribers = async () => {
      const query = 'serviceName=DEFAULT_GROUP@@left&pageNo=1&pageSize=10';
      const answer = await fetch(`http://${server.address}/nacos/v1/ns/service/subscribers?${query}`);
      return ((await answer.json()) as { subscribers: unknown[] }).subscribers.length;
    };
    expect(await subscribers()).toBe(1);
    view.close();
    await client.register('left', { ip: '10.0.0.1', port: 1, cluster: 'c' });
    await until(() => other.instances.length === 1);
    expect(await subscribers()).toBe(1);
    other.close();
    await until(async () => (await subscribers()) === 0);
  });

  test('a persistent instance outlives its client', async () => {
    const passing = connect({ servers: server.address, protocol: 'grpc' });
    await passing.register('kept', { ip: '10.0.0.1', port: 1, ephemeral: false });
    await passing.close();
    expect(await client.instances('kept')).toMatchObject([{ ip: '10.0.0.1', ephemeral: false }]);
    await client.deregister('kept', { ip: '10.0.0.1', port: 1, ephemeral: false });
    expect(await client.instances('kept')).toEqual([]);
  });

  test('pages through the names of services, and says that the server is up', async () => {
    for (const name of ['a', 'b', 'c']) await client.register({ name, group: 'PAGES' }, { ip: '10.0.0.1', port: 1 });
    const pages = [1, 2].map((page) => client.services({ group: 'PAGES', page, pageSize: 2 }));
    const [first, second] = await Promise.all(pages);
    expect([first?.count, ...(first?.names ?? []), ...(second?.names ?? [])]).toEqual([3, 'a', 'b', 'c']);
    expect(await client.status()).toBe('UP');
  });

  test('a refusal has the code of the server, and hits only who caused it', async () => {
    const instances = [1, 2, 3].map((port) => ({ ip: '10.0.0.1', port, cluster: port === 2 ? 'no_underscore' : 'c' }));
    const results = await Promise.allSettled(instances.map((instance) => client.register('partly', instance)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).toMatchObject({ code: 'invalid-parameter' });
    expect((await server.hosts('partly')).map(({ port }) => port)).toEqual([1, 3]);
    await expect(client.deregister('partly', { ip: '10.9.9.9', port: 1 })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('a server that is killed and comes back has everything again within seconds', async () => {
    const lasting = connect({ servers: server.address, protocol: 'grpc' });
    const view = lasting.subscribe('lasting');
    await lasting.register('lasting', { ip: '10.0.0.1', port: 1 });
    await lasting.register('lasting', { ip: '10.0.0.1', port: 2 });
    await until(() => view.instances.length === 2);
    await server.kill();
    expect(view.instances).toHaveLength(2);
    await server.start();
    await until(async () => (await server.hosts('lasting')).length === 2);
    const other = connect({ servers: server.address, protocol: 'grpc' });
    await other.register('lasting', { ip: '10.0.0.1', port: 3 });
    await until(() => view.instances.length === 3);
    await Promise.all([lasting.close(), other.close()]);
    expect(await server.hosts('lasting')).toEqual([]);
  }, 60_000);

  test('a server that hangs is given up within twelve seconds, and has everything again once it goes on', async () => {
    const lost: string[] = [];
    const logger = { isEnabled: () => true, log: (_level: string, event: string) => void lost.push(event) };
    const lasting = connect({ servers: server.address, protocol: 'grpc', logger });
    const view = lasting.subscribe('hanging');
    await lasting.register('hanging', { ip: '10.0.0.1', port: 1 });
    await until(() => view.instances.length === 1);
    server.freeze('stop');
    const before = performance.now();
    await until(() => lost.includes('connection-lost'));
    expect(performance.now() - before).toBeLessThan(12_000);
    expect(view.select()).toMatchObject({ port: 1 });
    server.freeze('go-on');
    const other = connect({ servers: server.address, protocol: 'grpc' });
    await other.register('hanging', { ip: '10.0.0.1', port: 2 });
    await until(() => view.instances.length === 2);
    await Promise.all([lasting.close(), other.close()]);
    expect(await server.hosts('hanging')).toEqual([]);
  }, 60_000);
});
