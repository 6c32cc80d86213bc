// Each switch does what it says, at once, on requests that come after it. Source: contract 10.2, golden area switches-live.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UdpSubscriber } from '../../src/adapters/udp/udp-subscriber.test-support.js';
import { type Answer, type Fields, HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

const JAVA = { 'User-Agent': 'Nacos-Java-Client:v1.4.8' };

let registry: HttpRegistry;

beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

async function set(entry: string, value: string | number | boolean, more: Fields = {}): Promise<void> {
  const answer = await registry.send('PUT', '/operator/switches', { entry, value, ...more });
  expect([answer.status, answer.text]).toEqual([200, 'ok']);
}

const switches = async () => (await registry.send('GET', '/ops/switches')).json;
const list = (fields: Fields = {}): Promise<Answer> =>
  registry.send('GET', '/instance/list', { serviceName: 's', ...fields }, { headers: JAVA });
const subscribe = (port = 54321): Promise<Answer> => list({ udpPort: port, clientIP: '127.0.0.1' });
const subscribers = async () => (await registry.send('GET', '/service/subscribers', { serviceName: 's' })).json.count;

describe('told to clients', () => {
  it('clientBeatInterval, to those that set none of their own', async () => {
    await registry.register();
    await set('clientBeatInterval', 8000);
    expect((await registry.lightBeat()).json.clientBeatInterval).toBe(8000);
    expect((await registry.lightBeat({ port: 1 })).json).toEqual({ clientBeatInterval: 8000, code: 20404 });
    await registry.register({ metadata: 'preserved.heart.beat.interval=3000' });
    expect((await registry.lightBeat()).json.clientBeatInterval).toBe(3000);
  });

  it('lightBeatEnabled', async () => {
    await registry.register();
    await set('lightBeatEnabled', false);
    expect((await registry.lightBeat()).json.lightBeatEnabled).toBe(false);
    await set('lightBeatEnabled', 'on');
    expect((await registry.lightBeat()).json.lightBeatEnabled).toBe(true);
  });

  it('defaultCacheMillis, in lists of services that exist and that do not', async () => {
    await registry.register();
    expect((await list()).json.cacheMillis).toBe(3000);
    await set('defaultCacheMillis', 4000);
    expect((await list()).json.cacheMillis).toBe(4000);
    expect((await list({ serviceName: 'other' })).json.cacheMillis).toBe(4000);
  });

  it('pushCacheMillis, in lists for subscribers and in pushes', async () => {
    const client = await UdpSubscriber.open();
    await set('pushCacheMillis', 20_000);
    await registry.register();
    expect((await subscribe(client.port)).json.cacheMillis).toBe(20_000);
    registry.advance(100);
    await registry.register({ port: 2 });
    expect((await client.push(0)).list.cacheMillis).toBe(20_000);
    await client.close();
  });
});

describe('pushes', () => {
  it('pushEnabled off: nobody subscribes, nobody is pushed; back on, who subscribed is told what was missed', async () => {
    const client = await UdpSubscriber.open();
    await registry.register();
    await subscribe(client.port);
    await set('pushEnabled', false);
    expect((await subscribe(54_322)).json.cacheMillis).toBe(3000);
    await registry.register({ port: 2 });
    registry.advance(1000);
    expect(registry.udpCounters.datagrams).toBe(0);
    await set('pushEnabled', true);
    expect((await client.push(0)).list.hosts).toHaveLength(2);
    expect((await subscribe(client.port)).json.cacheMillis).toBe(10_000);
    await client.close();
  });

  it('pushVersion: older clients do not subscribe', async () => {
    await registry.register();
    await set('pushVersion', 'java:9.0.0');
    expect((await subscribe()).json.cacheMillis).toBe(3000);
    expect(await subscribers()).toBe(0);
    await set('pushVersion', 'java:1.4.8');
    expect((await subscribe()).json.cacheMillis).toBe(10_000);
    expect(await subscribers()).toBe(1);
  });
});

describe('check', () => {
  it('off: nothing turns unhealthy and nothing is removed; back on, what is overdue follows at once', async () => {
    await registry.register();
    await set('check', false);
    registry.advance(120_000);
    expect((await registry.hosts())[0].healthy).toBe(true);
    await set('check', true);
    registry.advance(1);
    expect(await registry.hosts()).toEqual([]);
  });

  it('off after an instance is unhealthy: it is not removed, and a beat heals it', async () => {
    await registry.register();
    registry.advance(15_000);
    expect((await registry.hosts())[0].healthy).toBe(false);
    await set('check', false);
    registry.advance(60_000);
    expect(await registry.hosts()).toHaveLength(1);
    await registry.lightBeat();
    expect((await registry.hosts())[0].healthy).toBe(true);
  });
});

it('defaultInstanceEphemeral: the kind of registrations and removals that name none', async () => {
  const kind = async () => (await registry.hosts()).map((host) => host.ephemeral);
  await set('defaultInstanceEphemeral', false);
  await registry.register();
  expect(await kind()).toEqual([false]);
  await registry.register({ port: 2, ephemeral: true });
  await registry.deregister();
  expect(await kind()).toEqual([true]);
});

describe('the gate', () => {
  const DOWN = 'server is DOWNnow, please try again later!';

  it('closes on overriddenServerStatus and opens again without a trick', async () => {
    await set('overriddenServerStatus', 'DOWN');
    for (const answer of [await list(), await registry.register(), await registry.send('GET', '/operator/metrics')]) {
      expect([answer.status, answer.contentType, answer.text]).toEqual([503, '', DOWN]);
    }
    expect((await registry.raw('GET', '/nacos/v1/console/health/readiness')).status).toBe(500);
    expect((await registry.raw('GET', '/nacos/v1/console/health/liveness')).status).toBe(200);
    expect((await switches()).overriddenServerStatus).toBe('DOWN');
    await set('overriddenServerStatus', 'null');
    expect((await list()).status).toBe(200);
    expect((await registry.raw('GET', '/nacos/v1/console/health/readiness')).status).toBe(200);
  });

  it('closes on a beat that it has answered a thousand times', async () => {
    await registry.register();
    for (let n = 0; n < 3; n++) expect((await registry.lightBeat()).status).toBe(200);
    await set('overriddenServerStatus', 'PAUSED');
    expect((await registry.lightBeat()).status).toBe(503);
  });

  it('READ_ONLY and WRITE_ONLY', async () => {
    await set('overriddenServerStatus', 'READ_ONLY');
    expect([(await list()).status, (await registry.register()).status]).toEqual([200, 503]);
    await set('overriddenServerStatus', 'WRITE_ONLY');
    expect([(await list()).status, (await registry.register()).status]).toEqual([503, 200]);
  });

  it('limitedUrlMap stops what begins so, and can be emptied', async () => {
    await set('limitedUrlMap', '/nacos/v1/ns/instance/list?serviceName=s:418');
    const stopped = await registry.send('GET', '/instance/list', USUAL);
    expect([stopped.status, stopped.contentType, stopped.text]).toEqual([418, '', '']);
    expect((await registry.send('GET', '/instance/list', { serviceName: 't' })).status).toBe(200);
    await set('limitedUrlMap', '/:503');
    expect((await registry.register()).status).toBe(503);
    await set('limitedUrlMap', '');
    expect((await registry.register()).status).toBe(200);
    expect((await switches()).limitedUrlMap).toEqual({});
  });
});

describe('a request', () => {
  it('names entry and value; the value may be empty', async () => {
    const refused = async (fields: Fields) => {
      const { status, text } = await registry.send('PUT', '/operator/switches', fields);
      return `${status} ${text}`;
    };
    expect(await refused({ value: 1 })).toBe("400 Parameter 'entry' is missing");
    expect(await refused({ entry: 'check' })).toBe("400 Parameter 'value' is missing");
    expect(await refused({ entry: 'check', value: 'true', debug: 'perhaps' })).toContain('400 ');
    expect(await refused({ entry: 'defaultCacheMillis', value: 999 })).toBe(
      '400 min default cache time  is too small(<1000)',
    );
    expect(await refused({ entry: 'masters', value: '' })).toBe('200 ok');
  });

  it('is read from a form too, and logged with who sent it', async () => {
    const form = { entry: 'clientBeatInterval', value: 9000, debug: 'true' };
    expect((await registry.send('PUT', '/ops/switches', {}, { form })).text).toBe('ok');
    expect((await switches()).clientBeatInterval).toBe(9000);
    const line = registry.logger.lines.find(({ event }) => event === 'switch-set');
    expect(line).toMatchObject({
      level: 'info',
      fields: { entry: 'clientBeatInterval', value: '9000', scope: 'memory', address: '127.0.0.1' },
    });
  });
});

it('entries without a meaning for one server are stored and shown', async () => {
  await set('distro', false);
  await set('distroThreshold', '0.5');
  await set('masters', 'a,b');
  await set('disableAddIP', true);
  expect(await switches()).toMatchObject({
    distroEnabled: false,
    distroThreshold: 0.5,
    masters: ['a', 'b'],
    disableAddIP: true,
  });
  expect((await registry.register()).text).toBe('ok');
});
