// Deregistration that waits until every subscriber knows, on v2 and v3.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UdpSubscriber } from '../../src/adapters/udp/udp-subscriber.test-support.js';
import { HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

let registry: HttpRegistry;
let client: UdpSubscriber;

beforeEach(async () => {
  registry = await HttpRegistry.start();
  client = await UdpSubscriber.open();
});
afterEach(async () => {
  await client.close();
  await registry.close();
});

const subscribe = () =>
  registry.ask(
    'GET',
    '/v2/ns/instance/list',
    { serviceName: 's', port: client.port, ip: client.ip },
    { headers: { 'User-Agent': 'Nacos-Java-Client:v1.4.8' } },
  );

describe.each(['/v2/ns/instance', '/v3/client/ns/instance', '/v3/admin/ns/instance'])('DELETE %s', (path) => {
  it.each([true, false])('answers when the subscriber has acknowledged (ephemeral: %s)', async (ephemeral) => {
    await registry.ask('POST', path, { ...USUAL, ephemeral });
    await subscribe();
    registry.advance(100);
    const answer = registry.ask('DELETE', path, { ...USUAL, ephemeral, awaitSubscribersMs: 30_000 });
    const push = await client.push(0);
    expect(push.list.hosts).toEqual([]);
    registry.advance(38);
    await client.acknowledge(push);
    const { headers, json } = await answer;
    expect(headers['rollcall-subscribers']).toBe('acknowledged=1, pending=0, waitedMs=38');
    expect(json).toEqual({ code: 0, message: 'success', data: 'ok' });
  });

  it('refuses a wait that is too long, and nothing has changed', async () => {
    await registry.ask('POST', path, USUAL);
    const refused = await registry.ask('DELETE', path, { ...USUAL, awaitSubscribersMs: 30_001 });
    expect(refused).toMatchObject({ status: 400, json: { code: 20002 } });
    expect(await registry.hosts()).toHaveLength(1);
  });

  it('says nothing of subscribers when it is not asked', async () => {
    await registry.ask('POST', path, USUAL);
    expect((await registry.ask('DELETE', path, USUAL)).headers['rollcall-subscribers']).toBeUndefined();
  });
});

it('a client without a known agent is listed to, and not subscribed', async () => {
  await registry.ask('GET', '/v2/ns/instance/list', { serviceName: 's', port: client.port, ip: client.ip });
  expect(registry.runner.core.counts.subscribers).toBe(0);
  await subscribe();
  expect(registry.runner.core.counts.subscribers).toBe(1);
});
