// Reports about what callers of a client see, against a real server; both protocols where the report names none.

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type RegistryClient } from '../../src/index.js';
import { type Host, NacosNamingClient } from '../../src/nacos.js';
import { RollcallServer, until } from '../rollcall-server.test-support.js';

let server: RollcallServer;
let client: NacosNamingClient;
const clients = {} as Record<'http' | 'grpc', RegistryClient>;

beforeAll(async () => {
  server = await RollcallServer.start();
  client = new NacosNamingClient({ serverList: server.address, namespace: 'public' });
  for (const protocol of ['http', 'grpc'] as const) clients[protocol] = connect({ servers: server.address, protocol });
}, 30_000);

afterAll(async () => {
  await Promise.all([client, ...Object.values(clients)].map((each) => each.close()));
  await server.dispose();
});

const ONE = { ip: '10.0.0.1', port: 1 };
const PROTOCOLS = ['http', 'grpc'] as const;

async function subscribersOf(grouped: string): Promise<number> {
  const query = new URLSearchParams({ serviceName: grouped, pageNo: '1', pageSize: '10' });
  const answer = await fetch(`http://${server.address}/nacos/v1/ns/service/subscribers?${query}`);
  return ((await answer.json()) as { count: number }).count;
}

describe('subscriptions', () => {
  test('BR-100 clusters in any order are one subscription, and each listener sees each change', async () => {
    const seen = { f: [] as string[], g: [] as string[] };
    const into = (list: string[]) => (hosts: readonly Host[]) => void list.push(hosts.map(({ ip }) => ip).join());
    const [f, g] = [into(seen.f), into(seen.g)];
    client.subscribe({ serviceName: 'order', clusters: 'A,B' }, f);
    client.subscribe({ serviceName: 'order', clusters: ' B ,,A,A' }, g);
    await client.registerInstance('order', { ip: '10.0.0.1', port: 1, clusterName: 'A' });
    await until(() => seen.f.length === 1 && seen.g.length === 1);
    await client.registerInstance('order', { ip: '10.0.0.2', port: 1, clusterName: 'B' });
    await until(() => seen.f.length === 2 && seen.g.length === 2);
    expect(seen).toEqual({ f: ['10.0.0.1', '10.0.0.1,10.0.0.2'], g: ['10.0.0.1', '10.0.0.1,10.0.0.2'] });
    expect(await subscribersOf('DEFAULT_GROUP@@order')).toBe(1);
    client.unSubscribe({ serviceName: 'order', clusters: 'B,A' }, f);
    client.unSubscribe({ serviceName: 'order', clusters: 'A,,B' }, g);
    await client.registerInstance('order', { ip: '10.0.0.3', port: 1, clusterName: 'A' });
    await pause(200);
    expect([seen.f.length, seen.g.length]).toEqual([2, 2]);
  });

  test('BR-101 a listener that comes after the list is called once with it, and later; an empty list calls nobody', async () => {
    await client.registerInstance('known', ONE);
    await client.getAllInstances('known');
    await client.getAllInstances('nobody');
    const calls: string[] = [];
    for (const name of ['f', 'g']) client.subscribe('known', (hosts) => void calls.push(`${name} ${hosts.length}`));
    client.subscribe('nobody', () => void calls.push('nobody'));
    expect(calls).toEqual([]);
    await until(() => calls.length >= 2);
    await pause(100);
    expect(calls).toEqual(['f 1', 'g 1']);
  });

  test('BR-105 one function counts once, however often it subscribes', async () => {
    let calls = 0;
    let others = 0;
    const f = () => void calls++;
    for (let i = 0; i < 3; i++) client.subscribe('once', f);
    client.subscribe('once', () => void others++);
    await client.registerInstance('once', ONE);
    await until(() => others === 1);
    expect(calls).toBe(1);
    client.unSubscribe('once', f);
    await client.registerInstance('once', { ...ONE, port: 2 });
    await until(() => others === 2);
    expect(calls).toBe(1);
  });

  test.each(PROTOCOLS)('BR-154 looking up again and again subscribes once: %s', async (protocol) => {
    const own = clients[protocol];
    await own.register(`again-${protocol}`, ONE);
    for (let i = 0; i < 1000; i++) await own.select(`again-${protocol}`);
    expect(await subscribersOf(`DEFAULT_GROUP@@again-${protocol}`)).toBe(1);
  });
});

describe('names', () => {
  test.each([undefined, 'pay', 'blue@@pay', 'red@@pay'])(
    'BR-128 the group of the call counts, whatever the instance says: %j',
    async (serviceName) => {
      const service = `pay-${String(serviceName).replace('@@', '-')}`;
      await client.registerInstance(service, { ...ONE, ...(serviceName && { serviceName }) }, 'blue');
      expect(await server.hosts(`blue@@${service}`)).toHaveLength(1);
      expect(await server.hosts(`red@@${service}`)).toEqual([]);
    },
  );

  test.each(PROTOCOLS)('BR-157 one name in two groups and two namespaces are three services: %s', async (protocol) => {
    const [one, two] = ['n1', 'n2'].map((namespace) => connect({ servers: server.address, protocol, namespace })) as [
      RegistryClient,
      RegistryClient,
    ];
    const name = `same-${protocol}`;
    const at = [
      { own: one, service: { name, group: 'g1' }, ip: '10.0.0.1' },
      { own: one, service: { name, group: 'g2' }, ip: '10.0.0.2' },
      { own: two, service: { name, group: 'g1' }, ip: '10.0.0.3' },
    ];
    for (const { own, service, ip } of at) await own.register(service, { ip, port: 1 });
    const chosen = await Promise.all(at.map(({ own, service }) => own.select(service)));
    expect(chosen.map(({ ip }) => ip)).toEqual(at.map(({ ip }) => ip));
    await expect(one.instances({ name, group: 'g&1' })).rejects.toMatchObject({ code: 'invalid-parameter' });
    await Promise.all([one.close(), two.close()]);
  });

  test.each(PROTOCOLS)('BR-159 names of any form are listed and followed: %s', async (protocol) => {
    const own = clients[protocol];
    const group = `FORMS-${protocol}`;
    const names = ['providers:X:1:g', 'plain', 'a:b', '::'];
    for (const name of names) await own.register({ name, group }, ONE);
    const listed = await own.services({ group });
    expect([...listed.names].sort()).toEqual([...names].sort());
    for (const name of listed.names) expect(await own.select({ name, group })).toMatchObject(ONE);
  });
});

test.each(PROTOCOLS)('BR-146 credentials hinder nothing at a server that knows no users: %s', async (protocol) => {
  const credentials = { username: 'u', password: 'p+&%=# é😀"' };
  const own = connect({ servers: server.address, protocol, credentials });
  await own.register(`known-${protocol}`, ONE);
  expect(await own.select(`known-${protocol}`)).toMatchObject(ONE);
  await own.close();
  expect(await server.hosts(`known-${protocol}`)).toEqual([]);
});

test.each(PROTOCOLS)('BR-072 too much metadata is refused once, and hits nobody else: %s', async (protocol) => {
  const own = clients[protocol];
  const service = `big-${protocol}`;
  const asked = performance.now();
  const results = await Promise.allSettled([
    own.register(service, ONE),
    own.register(service, { ...ONE, port: 2, metadata: { k: 'x'.repeat(70_000) } }),
    own.register(service, { ...ONE, port: 3, metadata: { k: 'x'.repeat(60_000) } }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const { reason } = results[1] as PromiseRejectedResult;
  expect(reason).toMatchObject({ transient: false, message: expect.stringContaining('65536') });
  expect(performance.now() - asked).toBeLessThan(10_000);
  expect((await server.hosts(service)).map(({ port }) => port)).toEqual([1, 3]);
});

describe('BR-149 a persistent instance', () => {
  test.each(PROTOCOLS)('goes although the call that ends it does not name its kind: %s', async (protocol) => {
    const service = `lasting-${protocol}`;
    const own = clients[protocol];
    await own.register(service, { ...ONE, cluster: 'c1', ephemeral: false });
    await own.deregister(service, { ...ONE, cluster: 'c1' });
    expect(await server.hosts(service)).toEqual([]);
  });

  test('goes through the interface of npm nacos, too', async () => {
    await client.registerInstance('lasting', { ...ONE, clusterName: 'c1', ephemeral: false }, 'blue');
    await client.deregisterInstance('lasting', { ...ONE, clusterName: 'c1' }, 'blue');
    expect(await server.hosts('blue@@lasting')).toEqual([]);
  });
});
