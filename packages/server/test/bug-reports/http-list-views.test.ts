// Bug reports on lists: protection, paging, views of operators and of clients.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpRegistry } from './http-registry.test-support.js';

const JAVA = { headers: { 'User-Agent': 'Nacos-Java-Client:v1.4.8' } };

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

async function healthyFlags(fields = {}): Promise<boolean[]> {
  return (await registry.hosts(fields)).map((host) => host.healthy);
}

describe('BR-043 protection', () => {
  beforeEach(async () => {
    await registry.send('POST', '/service', { serviceName: 's', protectThreshold: '0.5' });
    for (const port of [1, 2, 3]) await registry.register({ port });
    registry.advance(14_000);
    await registry.lightBeat({ port: 1 });
    registry.advance(1000);
  });

  it('shows all hosts as healthy when few are, also to those who want healthy ones alone', async () => {
    expect(await healthyFlags()).toEqual([true, true, true]);
    expect(await healthyFlags({ healthyOnly: true })).toEqual([true, true, true]);
    expect((await registry.one({ port: 2 })).json.healthy).toBe(false);
    expect((await registry.catalog()).map((host) => host.healthy)).toEqual([true, false, false]);
  });

  it('ends when enough are healthy again', async () => {
    await registry.lightBeat({ port: 2 });
    expect(await healthyFlags()).toEqual([true, true, false]);
    expect(await healthyFlags({ healthyOnly: true })).toEqual([true, true]);
  });
});

describe('BR-044 threshold 0 is off', () => {
  it.each(['created', 'appeared'])('for a service that was %s', async (how) => {
    if (how === 'created') await registry.send('POST', '/service', { serviceName: 's', protectThreshold: '0' });
    await registry.register({ healthy: false });
    expect(await healthyFlags()).toEqual([false]);
    expect(await healthyFlags({ healthyOnly: true })).toEqual([]);
    expect((await registry.one()).json.healthy).toBe(false);
  });

  it('and a service without hosts is no case for it', async () => {
    await registry.send('POST', '/service', { serviceName: 's', protectThreshold: '0.5' });
    expect(await registry.hosts()).toEqual([]);
  });
});

describe('BR-045 unusual thresholds', () => {
  it.each([
    ['-1', false],
    ['2', true],
  ])('%s shows one unhealthy host as %s', async (protectThreshold, healthy) => {
    await registry.send('POST', '/service', { serviceName: 's', protectThreshold });
    await registry.register({ healthy: false });
    expect(await healthyFlags()).toEqual([healthy]);
    expect((await registry.send('GET', '/service', { serviceName: 's' })).json.protectThreshold).toBe(
      Number(protectThreshold),
    );
  });

  it.each(['NaN', 'Infinity', 'abc'])('%s is refused', async (protectThreshold) => {
    expect((await registry.send('POST', '/service', { serviceName: 's', protectThreshold })).status).toBe(400);
    expect(await registry.serviceNames()).toEqual([]);
  });
});

it.each([
  [1, 1, ['a']],
  [2, 1, ['b']],
  [3, 1, []],
  [1, 1000, ['a', 'b']],
  [0, 10, ['a', 'b']],
  [-1, 10, ['a', 'b']],
  [1, 0, []],
  [1, 2147483647, ['a', 'b']],
])('BR-047 page %d of %d services', async (pageNo, pageSize, doms) => {
  await registry.register({ serviceName: 'b' });
  await registry.register({ serviceName: 'a' });
  expect((await registry.send('GET', '/service/list', { pageNo, pageSize })).json).toEqual({ doms, count: 2 });
});

it('BR-048 pages of subscribers', async () => {
  for (let i = 1; i <= 5; i++) {
    await registry.send('GET', '/instance/list', { serviceName: 's', udpPort: 50000 + i }, JAVA);
  }
  for (const [pageNo, pageSize, shown] of [
    [2, 1000, 0],
    [1, 2, 2],
    [3, 2, 1],
  ] as const) {
    const { json } = await registry.send('GET', '/service/subscribers', { serviceName: 's', pageNo, pageSize });
    expect([json.count, json.subscribers.length]).toEqual([5, shown]);
  }
});

it('BR-049 an unknown cluster or service in the catalog is not found', async () => {
  await registry.register();
  const page = { pageNo: 1, pageSize: 10 };
  for (const fields of [
    { serviceName: 's', clusterName: 'nope' },
    { serviceName: 'none', clusterName: 'DEFAULT' },
  ]) {
    const answer = await registry.send('GET', '/catalog/instances', { ...fields, ...page });
    expect(answer.status).toBe(404);
    expect(answer.text).toMatch(/^(cluster nope|service DEFAULT_GROUP@@none) is not found!$/);
  }
});

describe('BR-051, BR-053 disabled instances', () => {
  it.each([{ enabled: false }, { enable: false }, { enabled: false, enable: true }])('%j', async (fields) => {
    await registry.register(fields);
    expect(await registry.hosts()).toEqual([]);
    expect(await registry.catalog()).toMatchObject([{ enabled: false, healthy: true }]);
    expect((await registry.one()).status).toBe(200);
  });

  it('enabled wins over enable', async () => {
    await registry.register({ enabled: true, enable: false });
    expect(await registry.hosts()).toHaveLength(1);
  });
});

it('BR-052 the catalog shows real health while lists are protected', async () => {
  await registry.send('POST', '/service', { serviceName: 's', protectThreshold: '1' });
  await registry.register({ ephemeral: false, healthy: false });
  expect(await healthyFlags()).toEqual([true]);
  expect(await registry.catalog()).toMatchObject([{ healthy: false }]);
  expect((await registry.send('GET', '/instance/statuses', { key: 'public##DEFAULT_GROUP@@s' })).json).toEqual({
    ips: ['10.0.0.1:8080_false'],
  });
});

describe('BR-076 clusters of a list', () => {
  beforeEach(async () => {
    for (const clusterName of ['c1', 'c2', 'c3']) await registry.register({ clusterName });
  });

  it.each([
    ['c1', ['c1']],
    ['c1,c2', ['c1', 'c2']],
    ['', ['c1', 'c2', 'c3']],
    ['nope', []],
  ])('"%s"', async (clusters, found) => {
    expect((await registry.hosts({ clusters })).map((host) => host.clusterName)).toEqual(found);
  });
});

describe('BR-081 subscriptions', () => {
  const query = { serviceName: 's', udpPort: 54321, clientIP: '127.0.0.1' };

  it.each([
    ['Nacos-Java-Client:v1.2.0', 10_000],
    ['Nacos-Go-Client:v1.0.0', 10_000],
    ['Nacos-CSharp-Client:v0.9.0', 10_000],
    ['nacos-sdk-nodejs/2.6.3', 3000],
    ['curl/8', 3000],
  ])('agent %s has to ask again after %d ms', async (agent, cacheMillis) => {
    const answer = await registry.send('GET', '/instance/list', query, { headers: { 'User-Agent': agent } });
    expect(answer.json.cacheMillis).toBe(cacheMillis);
    const { json } = await registry.send('GET', '/service/subscribers', { serviceName: 's' });
    expect(json.count).toBe(cacheMillis === 10_000 ? 1 : 0);
  });

  it.each([
    ['a host name', { clientIP: 'victim.example.test' }],
    ['a public address', { clientIP: '203.0.113.9' }],
    ['a port above 65535', { udpPort: 65536 }],
    ['port 0', { udpPort: 0 }],
    ['a port below 0', { udpPort: -1 }],
  ])('BR-085 %s is answered and not subscribed', async (_, fields) => {
    const answer = await registry.send('GET', '/instance/list', { ...query, ...fields }, JAVA);
    expect([answer.status, answer.json.cacheMillis]).toEqual([200, 3000]);
    expect((await registry.send('GET', '/service/subscribers', { serviceName: 's' })).json.count).toBe(0);
  });

  it('a HEAD request does not subscribe', async () => {
    await registry.raw('HEAD', '/nacos/v1/ns/instance/list?serviceName=s&udpPort=54321', JAVA);
    expect((await registry.send('GET', '/service/subscribers', { serviceName: 's' })).json.count).toBe(0);
  });
});

it('a list that repeats byte for byte shows every change', async () => {
  await registry.register();
  for (const weight of [2, 3, 4]) {
    await registry.register({ weight });
    expect((await registry.hosts()).map((host) => host.weight)).toEqual([weight]);
    expect((await registry.hosts()).map((host) => host.weight)).toEqual([weight]);
  }
  await registry.deregister();
  expect(await registry.hosts()).toEqual([]);
});

it('one target asked by clients of two kinds has the names of each', async () => {
  await registry.register();
  const ask = (sending = {}) => registry.send('GET', '/instance/list', { serviceName: 's' }, sending);
  expect((await ask()).json.dom).toBe('s');
  expect((await ask(JAVA)).json.dom).toBe('DEFAULT_GROUP@@s');
  expect((await ask()).json.hosts[0].serviceName).toBe('s');
  expect((await ask(JAVA)).json.hosts[0].serviceName).toBe('DEFAULT_GROUP@@s');
});

it('lastRefTime stands still while nothing changes, and rises with every change', async () => {
  const refTime = async () => (await registry.send('GET', '/instance/list', { serviceName: 's' })).json.lastRefTime;
  await registry.register();
  const first = await refTime();
  registry.advance(5000);
  await registry.lightBeat();
  expect(await refTime()).toBe(first);
  await registry.register({ weight: 2 });
  await registry.register({ weight: 3 });
  expect(await refTime()).toBeGreaterThan(first);
});
