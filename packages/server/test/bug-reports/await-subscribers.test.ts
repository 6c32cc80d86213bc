// Deregistration that waits until every subscriber knows.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UdpSubscriber } from '../../src/adapters/udp/udp-subscriber.test-support.js';
import { HttpRegistry, USUAL } from './http-registry.test-support.js';

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

function subscribe(fields: Record<string, string> = {}) {
  const query = { serviceName: 's', udpPort: client.port, clientIP: client.ip, ...fields };
  return registry.send('GET', '/instance/list', query, { headers: { 'User-Agent': 'Nacos-Java-Client:v1.4.8' } });
}

/** Registers, and lets the merge window pass. */
async function prepare(fields: Record<string, string> = {}): Promise<void> {
  await registry.register(fields);
  await subscribe();
  registry.advance(100);
}

/** DELETE with a wait. @returns the body and the header */
async function deregister(fields: Record<string, string | number>): Promise<string> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...USUAL, ...fields })) query.set(name, String(value));
  const { text, headers } = await registry.raw('DELETE', `/nacos/v1/ns/instance?${query}`);
  return `${text} [${headers['rollcall-subscribers'] ?? ''}]`;
}

describe('DELETE /instance', () => {
  it('without the parameter does not wait and says nothing of subscribers', async () => {
    await prepare();
    expect(await deregister({})).toBe('ok []');
  });

  it.each([{}, { ephemeral: 'false' }])('answers when the subscriber has acknowledged (%j)', async (kind) => {
    await prepare(kind);
    const answer = deregister({ ...kind, awaitSubscribersMs: 30_000 });
    const push = await client.push(0);
    expect(push.list.hosts).toEqual([]);
    registry.advance(38);
    await client.acknowledge(push);
    expect(await answer).toBe('ok [acknowledged=1, pending=0, waitedMs=38]');
  });

  it('answers when the time is up, and says who is left', async () => {
    await prepare();
    const answer = deregister({ awaitSubscribersMs: 500 });
    await client.push(0);
    registry.advance(499);
    registry.advance(1);
    expect(await answer).toBe('ok [acknowledged=0, pending=1, waitedMs=500]');
  });

  it('counts a subscriber that asks meanwhile as one that knows', async () => {
    await prepare();
    const answer = deregister({ awaitSubscribersMs: 30_000 });
    await client.push(0);
    registry.advance(7);
    await subscribe();
    expect(await answer).toBe('ok [acknowledged=1, pending=0, waitedMs=7]');
  });

  it('answers at once when nobody subscribes, and with 0', async () => {
    await registry.register();
    expect(await deregister({ awaitSubscribersMs: 30_000 })).toBe('ok [acknowledged=0, pending=0, waitedMs=0]');
    await prepare();
    const answer = deregister({ awaitSubscribersMs: 0 });
    await client.push(0);
    registry.advance(0);
    expect(await answer).toBe('ok [acknowledged=0, pending=1, waitedMs=0]');
  });

  it.each(['-1', '30001', '1.5', 'abc', '1e3', '99999999999'])(
    'refuses to wait %s ms, and removes nothing',
    async (waitMs) => {
      await registry.register();
      const { status, text } = await registry.deregister({ awaitSubscribersMs: waitMs });
      expect(status).toBe(400);
      expect(text).toContain(`found "${waitMs}", allowed is a whole number from 0 to 30000`);
      expect(await registry.hosts()).toHaveLength(1);
    },
  );
});
