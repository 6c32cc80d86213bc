// Bug reports on deregistration, on the two kinds of instance, and on what becomes of empty services.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpRegistry } from './http-registry.test-support.js';

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

it('BR-029 what is deregistered stays gone until a full beat', async () => {
  await registry.register();
  expect((await registry.deregister()).text).toBe('ok');
  expect(await registry.hosts()).toEqual([]);
  expect((await registry.lightBeat()).json.code).toBe(20404);
  expect(await registry.hosts()).toEqual([]);
  await registry.fullBeat({ ip: '10.0.0.1', port: 8080, weight: 1 });
  expect(await registry.hosts()).toHaveLength(1);
  await registry.deregister();
  expect((await registry.deregister()).text).toBe('ok');
  expect((await registry.deregister({ serviceName: 'never' })).text).toBe('ok');
  expect(await registry.serviceNames()).toEqual(['s']);
});

it('BR-030 a persistent instance goes only when its kind is named, and its service only after it', async () => {
  await registry.register({ ephemeral: false });
  expect((await registry.deregister()).text).toBe('ok');
  expect(await registry.hosts()).toHaveLength(1);
  const refused = await registry.send('DELETE', '/service', { serviceName: 's' });
  expect([refused.status, refused.text]).toEqual([
    400,
    "Service DEFAULT_GROUP@@s is not empty, can't be delete. Please unregister instance first",
  ]);
  expect(await registry.hosts()).toHaveLength(1);
  await registry.deregister({ ephemeral: false });
  expect((await registry.send('DELETE', '/service', { serviceName: 's' })).text).toBe('ok');
  expect(await registry.serviceNames()).toEqual([]);
});

describe('BR-031 all views agree on what is there', () => {
  beforeEach(() => registry.register({ clusterName: 'C1' }));

  it('with its own cluster', async () => {
    expect((await registry.one({ clusterName: 'C1' })).status).toBe(200);
    expect((await registry.lightBeat({ clusterName: 'C1' })).json.code).toBe(10200);
    expect((await registry.patch({ clusterName: 'C1', weight: 2 })).text).toBe('ok');
    expect((await registry.update({ clusterName: 'C1', weight: 3 })).text).toBe('ok');
    expect(await registry.hosts()).toMatchObject([{ clusterName: 'C1', weight: 3 }]);
  });

  it.each([{}, { clusterName: 'DEFAULT' }])('with %j', async (fields) => {
    expect((await registry.one(fields)).status).toBe(404);
    expect((await registry.lightBeat(fields)).json.code).toBe(20404);
    expect((await registry.patch({ ...fields, weight: 2 })).status).toBe(404);
    await registry.deregister(fields);
    expect(await registry.hosts()).toHaveLength(1);
  });
});

describe('BR-034 kinds', () => {
  it('are both allowed in one service on v1', async () => {
    await registry.register();
    expect((await registry.register({ ephemeral: false, port: 8081 })).text).toBe('ok');
    expect((await registry.register({ ephemeral: false })).text).toBe('ok');
    expect((await registry.hosts()).map(({ port, ephemeral }) => [port, ephemeral])).toEqual([
      [8080, false],
      [8081, false],
      [8080, true],
    ]);
  });

  it('have leases of their own', async () => {
    await registry.register();
    await registry.register({ ephemeral: false });
    registry.advance(30_000);
    expect(await registry.hosts()).toMatchObject([{ ephemeral: false, healthy: true }]);
  });
});

describe('BR-059 empty services', () => {
  it('vanish 60 s after the last instance when nobody made them', async () => {
    await registry.register();
    await registry.deregister();
    registry.advance(59_999);
    expect(await registry.serviceNames()).toEqual(['s']);
    registry.advance(1);
    expect(await registry.serviceNames()).toEqual([]);
  });

  it('stay when somebody made them', async () => {
    await registry.send('POST', '/service', { serviceName: 's' });
    await registry.register();
    await registry.deregister();
    registry.advance(3_600_000);
    expect(await registry.serviceNames()).toEqual(['s']);
  });

  it('keep their subscribers', async () => {
    const headers = { 'User-Agent': 'Nacos-Java-Client:v1.4.8' };
    const query = { serviceName: 's', udpPort: 54321, clientIP: '127.0.0.1' };
    await registry.register();
    await registry.deregister();
    for (let i = 0; i < 10; i++) {
      registry.advance(20_000);
      await registry.send('GET', '/instance/list', query, { headers });
    }
    await registry.register();
    expect(registry.events.filter(({ type }) => type === 'push-sent')).toHaveLength(1);
  });
});

it('BR-062 registering again heals, and never shows a persistent instance ill in between', async () => {
  await registry.register();
  registry.advance(15_000);
  expect((await registry.one()).json.healthy).toBe(false);
  await registry.register();
  expect((await registry.one()).json.healthy).toBe(true);

  await registry.register({ ephemeral: false, port: 8081 });
  registry.events.length = 0;
  await registry.register({ ephemeral: false, port: 8081, metadata: 'v=2' });
  expect(registry.events.map(({ type }) => type)).not.toContain('instance-unhealthy');
});

it('BR-033 parallel first registrations all succeed', async () => {
  const kinds = [true, false];
  const others = Array.from({ length: 40 }, (_, i) => registry.register({ serviceName: `s${i}`, ephemeral: false }));
  const shared = Array.from({ length: 100 }, (_, i) =>
    registry.register({ port: 9000 + i, ephemeral: kinds[i % 2] as boolean }),
  );
  const answers = await Promise.all([...others, ...shared]);
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['ok']));
  expect(await registry.hosts()).toHaveLength(100);
  expect(await registry.serviceNames()).toHaveLength(41);
});

it('a limit that is reached is named, and nothing is left behind', async () => {
  await registry.close();
  registry = await HttpRegistry.start({ serviceInstances: 2, services: 1 });
  for (const ephemeral of [true, false]) {
    await registry.register({ port: 1 });
    await registry.register({ port: 2 });
    const answer = await registry.register({ port: 3, ephemeral });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('found 2 instances in the service, allowed are 2');
    expect((await registry.register({ serviceName: 'other', ephemeral })).text).toContain('allowed are 1');
    expect((await registry.register({ port: 2, weight: 2 })).text).toBe('ok');
  }
  expect(await registry.serviceNames()).toEqual(['s']);
});
