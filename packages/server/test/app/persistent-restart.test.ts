// Persistent instances of a whole server over restarts.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerFixture, type StartedServer } from './started-server.test-support.js';

let fixture: ServerFixture;
let server: StartedServer;

beforeEach(async () => {
  fixture = new ServerFixture();
  server = await fixture.start();
});
afterEach(() => fixture.remove());

const INSTANCE = '/nacos/v1/ns/instance';
const ONE = { serviceName: 's', ip: '127.0.0.1', port: '9' };
const hosts = async () => {
  const list = await server.json<{ hosts: object[] }>('GET', `${INSTANCE}/list`, { serviceName: 's' });
  return list.hosts;
};

async function restart(): Promise<void> {
  await server.server.close();
  server = await fixture.start();
}

describe('BR-037 a persistent instance in a service that an ephemeral one made', () => {
  it('is back with weight and metadata after three restarts', async () => {
    await server.text('POST', INSTANCE, ONE);
    await server.text('DELETE', INSTANCE, ONE);
    await server.text('POST', INSTANCE, { ...ONE, ephemeral: 'false', weight: '4', metadata: '{"v":"1"}' });
    for (let restarts = 1; restarts <= 3; restarts += 1) {
      await restart();
      expect(await hosts()).toMatchObject([{ ephemeral: false, weight: 4, metadata: { v: '1' } }]);
    }
  });
});

it('health set by hand ends with a restart, what an operator configured does not', async () => {
  await server.text('POST', INSTANCE, { ...ONE, ephemeral: 'false' });
  const cluster = { serviceName: 's', clusterName: 'DEFAULT', checkPort: '80', useInstancePort4Check: 'true' };
  await server.text('PUT', '/nacos/v1/ns/cluster', { ...cluster, healthChecker: '{"type":"NONE"}' });
  await server.text('PUT', INSTANCE, { ...ONE, ephemeral: 'false', weight: '3', metadata: '{"zone":"east"}' });
  expect(await server.text('PUT', '/nacos/v1/ns/health/instance', { ...ONE, healthy: 'false' })).toBe('ok');
  const kept = { weight: 3, metadata: { zone: 'east' } };
  expect(await hosts()).toMatchObject([{ ...kept, healthy: false }]);
  await restart();
  expect(await hosts()).toMatchObject([{ ...kept, healthy: true }]);
});
