// Bug reports on the parameters of a registration: addresses, ports, names, clusters, weights, optional fields.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, HttpRegistry } from './http-registry.test-support.js';

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

async function expectRefused(fields: Fields, text?: string | RegExp): Promise<void> {
  const answer = await registry.register(fields);
  expect(answer.status).toBe(400);
  expect(answer.contentType).toBe('text/plain;charset=UTF-8');
  if (text !== undefined) expect(answer.text).toMatch(text);
  const names = await registry.send('GET', '/service/names');
  expect(names.json).toEqual({ services: {}, count: 0 });
}

describe('BR-001 IPv6 literals', () => {
  it.each(['2001:db8::5', '::1', '2001:DB8::A', '[2001:db8::1]', 'fe80::1%eth0'])('takes %s as it is', async (ip) => {
    expect((await registry.register({ ip, port: 7001 })).text).toBe('ok');
    const [host, ...more] = await registry.hosts();
    expect(more).toEqual([]);
    expect(host.ip).toBe(ip);
    expect(host.instanceId.split('#')).toEqual([ip, '7001', 'DEFAULT', 'DEFAULT_GROUP@@s']);
    expect((await registry.one({ ip, port: 7001 })).json.ip).toBe(ip);
    expect((await registry.lightBeat({ ip, port: 7001 })).json.code).toBe(10200);
    await registry.deregister({ ip, port: 7001 });
    expect(await registry.hosts()).toEqual([]);
  });
});

it('BR-002 host names are addresses, and so are digits that are none', async () => {
  for (const ip of ['node-17.example.test', '999.1.1.1']) {
    expect((await registry.register({ ip })).text).toBe('ok');
    expect((await registry.lightBeat({ ip })).json.code).toBe(10200);
    expect((await registry.fullBeat({ ip, port: 8080 })).json.code).toBe(10200);
    expect((await registry.hosts()).map((host) => host.ip)).toEqual([ip]);
    await registry.deregister({ ip });
  }
});

describe('BR-003 ports', () => {
  it.each([0, 65535])('takes %s', async (port) => {
    await registry.register({ port });
    expect((await registry.hosts()).map((host) => host.port)).toEqual([port]);
    expect((await registry.one({ port })).json.port).toBe(port);
  });

  it.each(['65536', '-1', 'abc', ''])('refuses "%s" and leaves nothing behind', async (port) => {
    await expectRefused({ port }, /Param 'port' is (illegal|required)/);
  });
});

it('BR-005 a blank group is the default group, a name that starts with the separator is refused', async () => {
  await registry.register({ groupName: '' });
  await registry.register({ groupName: ' ', port: 8081 });
  expect(await registry.hosts()).toHaveLength(2);
  expect(await registry.hosts({ groupName: 'DEFAULT_GROUP' })).toHaveLength(2);
  expect((await registry.register({ serviceName: '@@s' })).status).toBe(400);
  const { json } = await registry.send('GET', '/service/names');
  expect(json.services).toEqual({ public: ['s'] });
});

it('BR-006 a group inside the name wins over the group beside it', async () => {
  await registry.register({ serviceName: 'g@@s', groupName: 'other' });
  const byParts = await registry.send('GET', '/instance/list', { serviceName: 's', groupName: 'g' });
  expect(byParts.json.name).toBe('g@@s');
  expect(byParts.json.hosts).toHaveLength(1);
  expect(await registry.hosts({ serviceName: 'g@@s', groupName: 'other' })).toHaveLength(1);
  expect(await registry.hosts({ groupName: 'other' })).toEqual([]);
});

describe('BR-007, BR-008 characters of service names', () => {
  it.each(['a‐b', '服务', 'a b', 'café', 'x😀', 'a/b', 'a;b', 'a%b', 'a#b', 'a&b'])(
    'refuses "%s"',
    async (serviceName) => {
      await expectRefused({ serviceName }, `0-9a-zA-Z-._:, current: DEFAULT_GROUP@@${serviceName}`);
    },
  );

  it('takes underscores, dots, colons and dashes', async () => {
    const serviceName = 'providers:com.shop_x.Pay-Api:1.0.0:';
    expect((await registry.register({ serviceName })).text).toBe('ok');
    expect(await registry.serviceNames()).toEqual([serviceName]);
  });
});

describe('BR-009 group names', () => {
  it.each(['中文', 'a b', 'g'.repeat(129)])('refuses "%s"', async (groupName) => {
    await expectRefused({ groupName });
  });

  it.each(['a:b.c-d_e', 'g'.repeat(128)])('takes "%s"', async (groupName) => {
    expect((await registry.register({ groupName })).text).toBe('ok');
    expect(await registry.serviceNames({ groupName })).toEqual(['s']);
  });
});

describe('BR-010, BR-011 cluster names', () => {
  it.each(['a,b', 'a b', '中', 'c'.repeat(65), '{"name":"DEFAULT"}'])('refuses "%s"', async (clusterName) => {
    await expectRefused({ clusterName }, /cluster/);
    await expectRefused({ cluster: clusterName }, /cluster/);
  });

  it('clusterName wins over cluster', async () => {
    await registry.register({ clusterName: 'A', cluster: 'B' });
    expect((await registry.hosts()).map((host) => host.clusterName)).toEqual(['A']);
  });
});

describe('BR-046 weights', () => {
  it.each([
    ['0', 0],
    ['10000', 10000],
    ['', 1],
    ['0.3', 0.3],
    ['1e2', 100],
  ])('takes "%s" as %d', async (weight, listed) => {
    await registry.register({ weight });
    expect((await registry.hosts()).map((host) => host.weight)).toEqual([listed]);
  });

  it.each(['10000.1', '-0.1', '1e308', 'NaN', 'Infinity', 'abc'])('refuses "%s"', async (weight) => {
    await expectRefused({ weight });
  });

  it('writes weights with a fraction', async () => {
    await registry.register({ weight: 1 });
    expect((await registry.send('GET', '/instance/list', { serviceName: 's' })).text).toContain('"weight":1.0,');
  });
});

describe('BR-060 optional fields', () => {
  it('have their defaults in a registration', async () => {
    await registry.register();
    expect(await registry.catalog()).toMatchObject([
      { weight: 1, enabled: true, healthy: true, ephemeral: true, clusterName: 'DEFAULT', metadata: {} },
    ]);
  });

  it('have their defaults in a full beat, where a missing weight is 0 as in 1.4.8', async () => {
    expect((await registry.fullBeat({ ip: '10.0.0.1', port: 8080 })).json.code).toBe(10200);
    expect(await registry.catalog()).toMatchObject([
      { weight: 0, enabled: true, healthy: true, ephemeral: true, clusterName: 'DEFAULT', metadata: {} },
    ]);
  });

  it('have their defaults in a service', async () => {
    expect((await registry.send('POST', '/service', { serviceName: 's' })).text).toBe('ok');
    expect((await registry.send('GET', '/service', { serviceName: 's' })).json).toMatchObject({
      protectThreshold: 0,
      metadata: {},
      selector: { type: 'none' },
    });
  });
});
