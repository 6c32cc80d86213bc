// Who is pushed to: the address that a query names is checked, and a query that asks for what cannot be is still answered.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UdpSubscriber } from '../../src/adapters/udp/udp-subscriber.test-support.js';
import { type Fields, HttpRegistry } from './http-registry.test-support.js';

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start({ serviceSubscribers: 50, subscriberLength: 200 });
});
afterEach(() => registry.close());

function query(fields: Fields) {
  const headers = { 'User-Agent': 'Nacos-Java-Client:v1.4.8' };
  return registry.send('GET', '/instance/list', { serviceName: 's', ...fields }, { headers });
}

const refusals = () =>
  registry.events.flatMap((event) =>
    event.type === 'subscriber-refused' ? [`${event.subscriber} ${event.reason}`] : [],
  );

describe('a query for pushes', () => {
  it.each([
    ['to a third party', { udpPort: 53, clientIP: '8.8.8.8' }, '8.8.8.8:53 address-not-allowed'],
    ['to a link-local address', { udpPort: 80, clientIP: '169.254.169.254' }, '169.254.169.254:80 address-not-allowed'],
    ['to everybody', { udpPort: 9, clientIP: '255.255.255.255' }, '255.255.255.255:9 address-not-allowed'],
    ['to a host name', { udpPort: 9, clientIP: 'localhost' }, 'localhost:9 address-not-literal'],
    [
      'to what Java says without a host name',
      { udpPort: 9, clientIP: 'resolve_failed' },
      'resolve_failed:9 address-not-literal',
    ],
    ['to a port that does not exist', { udpPort: 70_000, clientIP: '127.0.0.1' }, '127.0.0.1:70000 port-out-of-range'],
    ['to port 65536', { udpPort: 65_536, clientIP: '127.0.0.1' }, '127.0.0.1:65536 port-out-of-range'],
    ['with texts too long to keep', { udpPort: 9, clusters: 'c,'.repeat(100) }, '127.0.0.1:9 text-too-long'],
  ])('%s is answered as without push, and refused visibly', async (_, fields, refusal) => {
    const { status, json } = await query(fields);
    expect([status, json.cacheMillis]).toEqual([200, 3000]);
    expect(refusals()).toEqual([refusal]);
    expect(registry.runner.core.counts).toMatchObject({ subscribers: 0, services: 0 });
  });

  it.each([0, -5])('with port %i asks for none', async (udpPort) => {
    const { status, json } = await query({ udpPort, clientIP: '127.0.0.1' });
    expect([status, json.cacheMillis]).toEqual([200, 3000]);
    expect(registry.events).toEqual([]);
  });

  it('with a port that is no number is refused as a whole', async () => {
    expect((await query({ udpPort: 'abc' })).status).toBe(400);
    expect(registry.events).toEqual([]);
  });

  it('from 300 ports of one peer fills its service up to the limit; who subscribed before stays, and the rest is refused', async () => {
    const honest = await UdpSubscriber.open();
    await query({ udpPort: honest.port, clientIP: honest.ip });
    const answers = [];
    for (let udpPort = 1001; udpPort <= 1300; udpPort += 1)
      answers.push(await query({ udpPort, clientIP: '127.0.0.1' }));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.filter(({ json }) => json.cacheMillis === 10_000)).toHaveLength(49);
    expect(refusals()).toHaveLength(251);
    expect(refusals()[0]).toBe('127.0.0.1:1050 service-full');
    await registry.register();
    expect((await honest.push(0)).list.hosts).toHaveLength(1);
    await honest.close();
    registry.advance(70_000);
    expect(registry.runner.core.counts).toMatchObject({ subscribers: 0, outstandingPushes: 0 });
  });

  it('counts in the state of pushes', async () => {
    const client = await UdpSubscriber.open();
    await query({ udpPort: client.port, clientIP: client.ip, app: 'shop' });
    await registry.register();
    const push = await client.push(0);
    await client.acknowledge(push);
    while (registry.runner.core.counts.outstandingPushes > 0) await new Promise(setImmediate);
    const { json } = await registry.send('GET', '/operator/push/state', { detail: true });
    expect(json).toEqual({
      succeed: 1,
      total: 1,
      ratio: 1,
      detail: { avgPushCost: -1, maxPushCost: -1 },
      reset: false,
    });
    expect((await registry.send('GET', '/ops/push/state', { reset: true })).json).toMatchObject({
      total: 1,
      reset: true,
    });
    expect((await registry.send('GET', '/operator/push/state')).text).toBe(
      '{"succeed":0,"total":0,"ratio":0,"reset":false}',
    );
    await client.close();
  });
});

describe('ten unusable subscribers', () => {
  it('do not keep the honest one from its push', async () => {
    const honest = await UdpSubscriber.open();
    // Broadcast of loopback: the system refuses to send there. Port 1 of loopback: nobody listens.
    for (let n = 0; n < 5; n += 1) {
      await query({ udpPort: 1000 + n, clientIP: '127.255.255.255' });
      await query({ udpPort: 1 + n, clientIP: `127.0.0.${2 + n}` });
    }
    await query({ udpPort: honest.port, clientIP: honest.ip });
    await registry.register();
    expect((await honest.push(0)).list.hosts).toHaveLength(1);
    expect(registry.udpCounters.socketErrors.get('EACCES')).toBe(5);
    const failed = registry.events.flatMap((event) => (event.type === 'push-failed' ? [event.reason] : []));
    expect(failed).toEqual(Array(5).fill('socket-error'));
    await honest.close();
  });
});
