// Bug reports on pushes over UDP: what is sent, when, to whom, and what is left behind. Real sockets; time is moved by hand.

import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ReceivedPush, UdpSubscriber } from '../../src/adapters/udp/udp-subscriber.test-support.js';
import { type Fields, HttpRegistry } from './http-registry.test-support.js';

const JAVA = 'Nacos-Java-Client:v1.4.1';

let registry: HttpRegistry;
let open: { close(): Promise<void> }[];

beforeEach(async () => {
  registry = await HttpRegistry.start();
  open = [registry];
});
afterEach(async () => {
  for (const each of open) await each.close();
});

async function subscriber(): Promise<UdpSubscriber> {
  const opened = await UdpSubscriber.open();
  open.push(opened);
  return opened;
}

/** The list query of a subscriber. */
function query(port: number, fields: Fields = {}, agent: string | null = JAVA) {
  const headers = agent === null ? {} : { 'User-Agent': agent };
  const wanted = { serviceName: 's', udpPort: port, clientIP: '127.0.0.1', ...fields };
  return registry.send('GET', '/instance/list', wanted, { headers });
}

async function subscribers(): Promise<ReturnType<typeof JSON.parse>[]> {
  return (await registry.send('GET', '/service/subscribers', { serviceName: 's' })).json.subscribers;
}

/** Waits until the server has read everything sent to it. */
async function acknowledged(): Promise<void> {
  while (registry.runner.core.counts.outstandingPushes > 0) await new Promise(setImmediate);
}

const turns = async (count: number) => {
  for (let n = 0; n < count; n += 1) await new Promise(setImmediate);
};
const portsOf = (push: ReceivedPush | undefined) => push?.list.hosts.map(({ port }: { port: number }) => port);

describe('BR-080 large pushes are gzip-compressed', () => {
  it('plain when small, gzip from 1 KiB on, the same content either way', async () => {
    const client = await subscriber();
    await query(client.port);
    await registry.register();
    const small = await client.push(0);
    expect(small.gzip).toBe(false);
    await client.acknowledge(small);
    await acknowledged();
    for (let port = 1; port <= 40; port += 1) await registry.register({ port });
    registry.advance(100);
    const large = await client.push(1);
    expect(large.gzip).toBe(true);
    expect(large.bytes.length).toBeLessThan(1500);
    expect(large.list).toEqual((await query(client.port)).json);
  });

  it('what no datagram can hold is not sent, visibly, and polling brings it', async () => {
    const client = await subscriber();
    const other = await subscriber();
    await query(client.port);
    await query(other.port, { clusters: 'small' });
    const noise = () => randomBytes(12_000).toString('base64');
    for (let port = 1; port <= 8; port += 1) {
      await registry.register({ port, metadata: JSON.stringify({ noise: noise() }) });
    }
    await registry.register({ port: 9, clusterName: 'small' });
    registry.advance(100);
    // The first registration came alone and fitted.
    expect(portsOf(await client.push(0))).toEqual([1]);
    await client.acknowledge(await client.push(0));
    expect(portsOf(await other.push(0))).toEqual([]);
    await other.acknowledge(await other.push(0));
    expect(portsOf(await other.push(1))).toEqual([9]);
    await other.acknowledge(await other.push(1));
    await acknowledged();
    expect(client.pushes).toHaveLength(1);
    expect(registry.udpCounters.tooLarge).toBe(1);
    const failed = registry.events.filter(({ type }) => type === 'push-failed');
    expect(failed).toMatchObject([{ subscriber: `127.0.0.1:${client.port}`, reason: 'too-large' }]);
    expect((await query(client.port)).json.hosts).toHaveLength(9);
  });
});

describe('BR-081 only known client kinds are pushed to', () => {
  it.each([
    'Nacos-Java-Client:v1.2.0',
    'Nacos-Java-Client:v0.1.0',
    'Nacos-Go-Client:v1.0.0',
    'Nacos-CSharp-Client:v0.9.0',
    'Nacos-C-Client:v1.0.12',
    'vip-client4cpp:v1.0.12',
    'Nacos-DNS:v0.4.3',
  ])('%s is', async (agent) => {
    expect((await query(5000, {}, agent)).json.cacheMillis).toBe(10_000);
    expect(await subscribers()).toMatchObject([{ agent, addrStr: '127.0.0.1:5000' }]);
  });

  it.each([
    'Nacos-Java-Client:v0.0.9',
    'Nacos-CSharp-Client:v0.8.0',
    'Nacos-C-Client:v1.0.11',
    'Nacos-SDK-Java:v1.0.0',
    'nacos-sdk-nodejs/1.0',
    'Nacos-PHP-Client:v1.0.0',
    'curl/8.5.0',
    null,
  ])('%s is answered as without push', async (agent) => {
    const answer = await query(5000, {}, agent);
    expect(answer).toMatchObject({ status: 200, json: { cacheMillis: 3000 } });
    expect(await subscribers()).toEqual([]);
    expect(registry.events).toMatchObject([{ type: 'subscriber-refused', reason: 'agent-not-supported' }]);
  });
});

describe('BR-082 a subscription is dropped after 30 s without polling', () => {
  it('pushes at 5 s and 25 s, none at 45 s; a later query subscribes again, for its own service only', async () => {
    const client = await subscriber();
    await registry.register({ ephemeral: false });
    await registry.register({ serviceName: 's2', ephemeral: false });
    registry.advance(100);
    await query(client.port);
    await query(client.port, { serviceName: 's2' });
    const change = (weight: number, serviceName = 's') => registry.update({ serviceName, weight, ephemeral: false });
    const seen = async (index: number) => {
      const push = await client.push(index);
      await client.acknowledge(push);
      await acknowledged();
      return [push.list.name, push.list.hosts[0].weight];
    };
    registry.advance(5000);
    await change(5);
    expect(await seen(0)).toEqual(['DEFAULT_GROUP@@s', 5]);
    registry.advance(20_000);
    await change(25);
    expect(await seen(1)).toEqual(['DEFAULT_GROUP@@s', 25]);
    registry.advance(5000);
    expect(await subscribers()).toEqual([]);
    registry.advance(15_000);
    await change(45);
    await query(client.port);
    await change(46);
    await change(46, 's2');
    expect(await seen(2)).toEqual(['DEFAULT_GROUP@@s', 46]);
    expect(client.pushes).toHaveLength(3);
  });
});

describe('BR-083 an unreachable subscriber leaks nothing', () => {
  it('two sends 10 s apart, then silence; nothing waits afterwards', async () => {
    const ports = await unusedPorts(10);
    const keepSubscribed = async () => {
      for (const port of ports) await query(port);
    };
    await keepSubscribed();
    await registry.register({ ephemeral: false });
    await turns(10);
    expect(registry.udpCounters.datagrams).toBe(10);
    for (let second = 0; second < 20; second += 5) {
      await keepSubscribed();
      for (let change = 0; change < 100; change += 1) {
        await registry.update({ ephemeral: false, weight: change + 2 });
        registry.advance(50);
      }
    }
    await turns(10);
    // The first push; after 10 s the newest list instead of a resend; given up after 20 s, and what came meanwhile is sent.
    expect(registry.udpCounters.datagrams).toBe(30);
    for (let second = 0; second < 20; second += 5) {
      await keepSubscribed();
      registry.advance(5000);
    }
    await turns(10);
    expect(registry.udpCounters.datagrams).toBe(40);
    expect(registry.events.filter(({ type }) => type === 'push-given-up')).toHaveLength(20);
    registry.advance(70_000);
    expect(registry.runner.core.counts).toMatchObject({ outstandingPushes: 0, subscribers: 0 });
  });
});

describe('BR-085 a client claims 127.0.0.1', () => {
  it('is pushed to there, as the reference does, when it is on this host', async () => {
    const client = await subscriber();
    await query(client.port, { clientIP: '127.0.0.1' });
    await registry.register();
    await client.push(0);
  });

  it('without a claim it is the address of its connection', async () => {
    await query(5000, { clientIP: '' });
    expect(await subscribers()).toMatchObject([{ ip: '127.0.0.1' }]);
  });
});

describe('BR-087 quick toggles reach every subscriber', () => {
  it('20 toggles within 2 s: all three hold the last state within the merge window of the last change', async () => {
    const clients = await Promise.all([subscriber(), subscriber(), subscriber()]);
    await registry.register({ ephemeral: false });
    registry.advance(100);
    for (const { port } of clients) await query(port);
    const acknowledging = clients.map(async (client) => {
      for (let index = 0; ; index += 1) await client.acknowledge(await client.push(index));
    });
    for (let n = 1; n <= 20; n += 1) {
      await registry.update({ ephemeral: false, enabled: n % 2 === 1 });
      registry.advance(100);
      await acknowledged();
    }
    registry.advance(100);
    await acknowledged();
    for (const { pushes } of clients) expect(pushes.at(-1)?.list.hosts).toEqual([]);
    expect(acknowledging).toHaveLength(3);
  });
});

describe('BR-110 and BR-152 every change is pushed once, and nothing is without one', () => {
  it('enabled, weight, a metadata value, a cluster: one push each; none in five minutes of polling', async () => {
    const client = await subscriber();
    await query(client.port);
    const base = { ephemeral: false, metadata: '{"a":"1","b":"2"}' };
    const changes: Fields[] = [
      base,
      { ...base, weight: 5 },
      { ...base, weight: 5, enabled: false },
      { ...base, weight: 5 },
      { ...base, weight: 5, metadata: '{"a":"1","b":"3"}' },
      { ...base, weight: 5, metadata: '{"a":"1","b":"3"}', clusterName: 'c2' },
    ];
    for (const [index, change] of changes.entries()) {
      await registry.register(change);
      registry.advance(100);
      await client.acknowledge(await client.push(index));
      await acknowledged();
    }
    // Five minutes in which nothing happens but polls.
    for (let polls = 0; polls < 30; polls += 1) {
      registry.advance(10_000);
      await query(client.port);
    }
    await turns(10);
    expect(client.pushes).toHaveLength(changes.length);
  });
});

/** Ports of this host on which nobody listens. */
async function unusedPorts(count: number): Promise<number[]> {
  const sockets = Array.from({ length: count }, () => createSocket('udp4'));
  await Promise.all(sockets.map((socket) => new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))));
  const ports = sockets.map((socket) => socket.address().port);
  await Promise.all(sockets.map((socket) => new Promise<void>((closed) => socket.close(() => closed()))));
  return ports;
}
