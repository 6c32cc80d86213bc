// Bug reports on the overview of services: searching, paging, counts.

import { serviceKey } from '@rollcall/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, HttpRegistry } from './http-registry.test-support.js';

let registry: HttpRegistry;

beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

const PAGE = { pageNo: 1, pageSize: 100 };

const overview = async (fields: Fields = {}) => {
  const answer = await registry.send('GET', '/catalog/services', { ...PAGE, ...fields });
  return answer.json;
};

/** `group/name` of all lines. */
const found = async (fields: Fields = {}): Promise<string[]> =>
  (await overview(fields)).serviceList.map(
    ({ name, groupName }: { name: string; groupName: string }) => `${groupName}/${name}`,
  );

describe('BR-160 each pattern searches its own part', () => {
  beforeEach(async () => {
    await registry.register({ serviceName: 'A-B', groupName: 'G1' });
    await registry.register({ serviceName: 'x', groupName: 'A' });
  });

  it.each<[Fields, string[]]>([
    [{ groupNameParam: '-' }, []],
    [{ groupNameParam: 'A' }, ['A/x']],
    [{ serviceNameParam: 'G1' }, []],
    [{ serviceNameParam: 'a' }, []],
    [{ serviceNameParam: '@' }, []],
    [{ serviceNameParam: 'A.B' }, ['G1/A-B']],
  ])('%j', async (fields, expected) => expect(await found(fields)).toEqual(expected));

  it.each(['*', '(a+)+$', 'a{100}', '['])('what is no pattern (%s) is refused', async (serviceNameParam) => {
    const answer = await registry.send('GET', '/catalog/services', { ...PAGE, serviceNameParam });
    expect(answer.status).toBe(400);
  });

  it('a pattern that would keep a backtracking engine busy for years is answered at once', async () => {
    await registry.register({ serviceName: 'a'.repeat(500) });
    const startedAt = performance.now();
    expect(await found({ serviceNameParam: 'a*a*a*a*a*a*a*a*a*a*a*a*b' })).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});

it('BR-161 a group alone, both, none', async () => {
  await registry.register({ serviceName: 'a', groupName: 'G1' });
  await registry.register({ serviceName: 'b', groupName: 'G1' });
  await registry.register({ serviceName: 'a', groupName: 'G2' });
  expect(await found({ groupNameParam: 'G1', serviceNameParam: '' })).toEqual(['G1/a', 'G1/b']);
  expect(await found({ groupNameParam: '', serviceNameParam: '' })).toEqual(['G1/a', 'G1/b', 'G2/a']);
  expect(await found({ groupNameParam: 'G1', serviceNameParam: 'a' })).toEqual(['G1/a']);
  expect((await overview({ groupNameParam: 'G1', pageSize: 1 })).count).toBe(2);
});

describe('BR-163 pages', () => {
  it('of 20,000 services are quick, exact and without duplicates', async () => {
    const services = 20_000;
    for (let n = 0; n < services; n++) {
      await registry.runner.commit({ via: 'server' }, () => [
        {
          type: 'service',
          service: serviceKey('public', 'DEFAULT_GROUP', `s${n}`),
          value: { protectThreshold: 0, metadata: new Map(), selector: { type: 'none' }, clusters: new Map() },
        },
      ]);
    }
    const names = new Set<string>();
    const startedAt = performance.now();
    for (let pageNo = 1; pageNo <= 5; pageNo++) {
      const { count, serviceList } = await overview({ pageNo, pageSize: 5000 });
      expect(count).toBe(services);
      expect(serviceList).toHaveLength(pageNo === 5 ? 0 : 5000);
      for (const { name } of serviceList) names.add(name);
    }
    expect(names.size).toBe(services);
    expect(performance.now() - startedAt).toBeLessThan(5 * 500);
    expect((await overview({ pageNo: 1, pageSize: 10, hasIpCount: true })).serviceList).toEqual([]);
  });

  it.each([
    [1, 2, 'a b', 3],
    [2, 2, 'c', 3],
    [3, 2, '', 3],
    [0, 2, 'a b', 3],
    [-7, 2, 'a b', 3],
    [1, 0, 'a', 3],
    [1, -1, 'a', 3],
    [7, 3, 'a b c', 3],
    [2_147_483_647, 2, 'a b', 3],
  ])('page %d of size %d', async (pageNo, pageSize, names, count) => {
    for (const serviceName of ['c', 'a', 'b']) await registry.register({ serviceName });
    const page = await overview({ pageNo, pageSize });
    expect(page.serviceList.map(({ name }: { name: string }) => name).join(' ')).toBe(names);
    expect(page.count).toBe(count);
  });

  it.each([{ pageNo: 1 }, { pageSize: 1 }, { pageNo: 'x', pageSize: 1 }, { pageNo: '', pageSize: 1 }])(
    'need numbers: %j is refused',
    async (fields) => expect((await registry.send('GET', '/catalog/services', fields)).status).toBe(400),
  );
});

it('BR-164 instances of one cluster, page by page', async () => {
  for (let port = 1; port <= 25; port++) await registry.register({ port, clusterName: 'c1' });
  for (let port = 1; port <= 3; port++) await registry.register({ port, clusterName: 'c2' });
  const sizes = [];
  for (const pageNo of [1, 2, 3, 4]) {
    const fields = { serviceName: 's', clusterName: 'c1', pageNo, pageSize: 10 };
    const { list, count } = (await registry.send('GET', '/catalog/instances', fields)).json;
    sizes.push(list.length);
    expect(count).toBe(25);
  }
  expect(sizes).toEqual([10, 10, 5, 0]);
});

describe('BR-167 counts', () => {
  it('are those of what is there, with real health', async () => {
    await registry.register();
    await registry.register({ port: 2, healthy: false });
    await registry.register({ port: 3, clusterName: 'c2', enabled: false });
    expect((await overview()).serviceList).toEqual([
      {
        name: 's',
        groupName: 'DEFAULT_GROUP',
        clusterCount: 2,
        ipCount: 3,
        healthyInstanceCount: 2,
        triggerFlag: 'false',
      },
    ]);
  });

  it('of a service without instances are 0, and the flag hides it', async () => {
    await registry.register({ clusterName: 'c1' });
    await registry.deregister({ clusterName: 'c1' });
    expect((await overview()).serviceList).toMatchObject([
      { ipCount: 0, healthyInstanceCount: 0, triggerFlag: 'false' },
    ]);
    expect(await overview({ hasIpCount: true })).toEqual({ serviceList: [], count: 0 });
  });

  it.each([
    [0.5, 'true'],
    [0.4, 'false'],
    [0, 'false'],
  ])('with threshold %d and half of the instances healthy, protection is %s', async (protectThreshold, flag) => {
    await registry.send('POST', '/service', { serviceName: 's', protectThreshold });
    await registry.register();
    await registry.register({ port: 2, healthy: false });
    expect((await overview()).serviceList[0].triggerFlag).toBe(flag);
  });
});

describe('one instance', () => {
  it.each([
    ['10.0.0.1', ['DEFAULT_GROUP/a', 'DEFAULT_GROUP/b']],
    ['10.0.0.1:1', ['DEFAULT_GROUP/a']],
    ['10.0.0', []],
    ['2001:db8::5', ['DEFAULT_GROUP/c']],
    ['2001:db8::5:7001', ['DEFAULT_GROUP/c']],
  ])('%s is found in its services', async (instance, expected) => {
    await registry.register({ serviceName: 'a', port: 1 });
    await registry.register({ serviceName: 'b', port: 2 });
    await registry.register({ serviceName: 'c', ip: '2001:db8::5', port: 7001 });
    expect(await found({ instance })).toEqual(expected);
  });
});

describe('withInstances', () => {
  it('is a bare array with clusters, whose pages count from 0', async () => {
    await registry.register({ serviceName: 'a', metadata: 'k=v' });
    await registry.register({ serviceName: 'b', clusterName: 'c', ephemeral: false, enabled: false, weight: 2.5 });
    const page = (pageNo: number) => overview({ withInstances: true, hasIpCount: true, pageNo, pageSize: 1 });
    expect(await page(0)).toEqual([
      {
        serviceName: 'a',
        groupName: 'DEFAULT_GROUP',
        clusterMap: {
          DEFAULT: {
            hosts: [{ valid: true, metadata: { k: 'v' }, port: 8080, ip: '10.0.0.1', weight: 1, enabled: true }],
          },
        },
        metadata: {},
      },
    ]);
    expect((await page(1))[0].clusterMap.c.hosts[0]).toMatchObject({ enabled: false, weight: 2.5 });
    expect(await page(2)).toEqual([]);
  });
});
