// Bug reports on beats.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SWITCHES } from '../../src/core/switches.js';
import { HttpRegistry, USUAL } from './http-registry.test-support.js';

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

it('BR-019 a full beat registers with everything it carries', async () => {
  const beat = { ip: '10.0.0.1', port: 8080, cluster: 'c1', weight: 7, metadata: { v: '1' } };
  expect((await registry.fullBeat(beat)).json).toEqual({
    clientBeatInterval: 5000,
    code: 10200,
    lightBeatEnabled: true,
  });
  expect(await registry.hosts()).toMatchObject([
    { clusterName: 'c1', weight: 7, metadata: { v: '1' }, healthy: true, enabled: true, ephemeral: true },
  ]);
});

it('BR-020 a late light beat brings nothing back', async () => {
  const metadata = {
    'preserved.heart.beat.interval': '1000',
    'preserved.heart.beat.timeout': '2000',
    'preserved.ip.delete.timeout': '3000',
  };
  await registry.register({ metadata: JSON.stringify(metadata) });
  registry.advance(2999);
  expect(await registry.hosts()).toHaveLength(1);
  registry.advance(1);
  expect(await registry.hosts()).toEqual([]);
  expect((await registry.lightBeat()).text).toBe('{"clientBeatInterval":5000,"code":20404}');
  expect(await registry.hosts()).toEqual([]);
});

describe('BR-022 the JSON decides ip, port and cluster, the parameters decide the service', () => {
  it('a beat for another cluster registers there and does not renew', async () => {
    await registry.register();
    for (let i = 0; i < 20; i++) {
      registry.advance(2000);
      await registry.fullBeat({ ip: '10.0.0.1', port: 8080, cluster: 'c1', weight: 1 });
    }
    expect((await registry.hosts()).map(({ clusterName, healthy }) => [clusterName, healthy])).toEqual([['c1', true]]);
  });

  it('a light beat for another cluster is not known', async () => {
    await registry.register();
    expect((await registry.lightBeat({ clusterName: 'c1' })).json.code).toBe(20404);
  });

  it('a service name in the JSON does not matter', async () => {
    await registry.register();
    for (let i = 0; i < 10; i++) {
      registry.advance(5000);
      await registry.fullBeat({ ip: '10.0.0.1', port: 8080, serviceName: 'other' });
    }
    expect(await registry.hosts()).toMatchObject([{ healthy: true }]);
    expect(await registry.serviceNames()).toEqual(['s']);
  });
});

it.each([{}, { cluster: '' }, { cluster: null }])(
  'BR-023 a beat with %j renews in the default cluster',
  async (more) => {
    await registry.register();
    for (let i = 0; i < 8; i++) {
      registry.advance(5000);
      await registry.fullBeat({ ip: '10.0.0.1', port: 8080, ...more });
      expect(await registry.hosts()).toMatchObject([{ healthy: true, clusterName: 'DEFAULT' }]);
    }
  },
);

it('BR-024 updates and registrations keep the newest sign of life', async () => {
  await registry.register();
  for (let second = 1; second <= 90; second++) {
    registry.advance(1000);
    if (second % 5 === 0) await registry.lightBeat();
    if (second === 31) await registry.update({ weight: 2 });
    if (second === 61) await registry.register({ weight: 3 });
    expect(await registry.hosts()).toMatchObject([{ healthy: true }]);
  }
});

describe('BR-026 large beats', () => {
  const beat = JSON.stringify({ ip: '10.0.0.1', port: 8080, weight: 1, metadata: { big: 'x'.repeat(16 * 1024) } });

  it('work in the query', async () => {
    expect((await registry.send('PUT', '/instance/beat', { serviceName: 's', beat })).json.code).toBe(10200);
  });

  it('work in a form', async () => {
    const answer = await registry.send('PUT', '/instance/beat', { serviceName: 's' }, { form: { beat } });
    expect(answer.json.code).toBe(10200);
  });

  it('have the same limit on metadata as a registration', async () => {
    const metadata = { big: 'x'.repeat(64 * 1024) };
    const form = { beat: JSON.stringify({ ip: '10.0.0.1', port: 8080, metadata }) };
    const answer = await registry.send('PUT', '/instance/beat', { serviceName: 's' }, { form });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/^Param 'metadata' is illegal, found \d+ bytes/);
    expect(await registry.serviceNames()).toEqual([]);
  });
});

it('BR-027 the interval is the switch, unless the instance sets its own', async () => {
  const value = { ...DEFAULT_SWITCHES, clientBeatInterval: 8000, lightBeatEnabled: false };
  await registry.register();
  await registry.register({ port: 8081, metadata: '{"preserved.heart.beat.interval":"3000"}' });
  expect((await registry.lightBeat()).json.clientBeatInterval).toBe(5000);
  await registry.runner.commit({ via: 'operator' }, () => [{ type: 'switches', value }]);
  expect((await registry.lightBeat()).json).toEqual({ clientBeatInterval: 8000, code: 10200, lightBeatEnabled: false });
  expect((await registry.lightBeat({ port: 8081 })).json.clientBeatInterval).toBe(3000);
  expect((await registry.lightBeat({ port: 8082 })).json).toEqual({ clientBeatInterval: 8000, code: 20404 });
});

describe('BR-028 timing values', () => {
  it.each(['abc', '-1', '', '1.5'])('that are no number, as "%s", count as the default', async (text) => {
    const metadata = { 'preserved.heart.beat.interval': text, 'preserved.ip.delete.timeout': text };
    await registry.register({ metadata: JSON.stringify(metadata) });
    expect(await registry.catalog()).toMatchObject([
      { instanceHeartBeatInterval: 5000, instanceHeartBeatTimeOut: 15000, ipDeleteTimeout: 30000 },
    ]);
  });

  it('are milliseconds', async () => {
    await registry.register({ metadata: '{"preserved.ip.delete.timeout":"30"}' });
    registry.advance(29);
    expect(await registry.hosts()).toHaveLength(1);
    registry.advance(1);
    expect(await registry.hosts()).toEqual([]);
  });

  it('with an interval above the timeouts are accepted as in 1.4.8, with a warning', async () => {
    const metadata = { 'preserved.heart.beat.interval': '10000', 'preserved.heart.beat.timeout': '5000' };
    expect((await registry.register({ metadata: JSON.stringify(metadata) })).text).toBe('ok');
    await registry.register({ port: 8081, metadata: '{"preserved.heart.beat.interval":"15000"}' });
    expect(registry.logger.lines).toMatchObject([
      {
        level: 'warn',
        event: 'beat-interval-above-timeout',
        fields: { instance: '10.0.0.1:8080', beatIntervalMs: 10_000, beatTimeoutMs: 5000, deleteTimeoutMs: 30_000 },
      },
    ]);
  });
});

describe('BR-035 beats for a persistent instance', () => {
  beforeEach(() => registry.register({ ephemeral: false }));

  it.each([{ ephemeral: false }, {}])('with %j make no second instance', async (more) => {
    const beat = { ip: USUAL.ip, port: 8080, weight: 9, ...more };
    expect((await registry.fullBeat(beat)).json.code).toBe(10200);
    expect((await registry.lightBeat()).json.code).toBe(10200);
    expect(await registry.hosts()).toMatchObject([{ ephemeral: false, weight: 1 }]);
  });
});

it('answers a beat that repeats byte for byte by what is true now', async () => {
  await registry.register();
  expect((await registry.lightBeat()).json.code).toBe(10200);
  expect((await registry.lightBeat()).json.code).toBe(10200);
  await registry.deregister();
  expect((await registry.lightBeat()).json.code).toBe(20404);
  const beat = { ip: '10.0.0.1', port: 8080, weight: 4 };
  for (let i = 0; i < 3; i++) {
    expect((await registry.fullBeat(beat)).json.code).toBe(10200);
    expect(await registry.hosts()).toMatchObject([{ weight: 4 }]);
    await registry.deregister();
  }
});
