// Bug reports on probes of persistent instances: what is probed where, what a finding changes, what it leaves alone. Real
// listeners; time is moved by hand.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closedPort, type Listener, listen } from '../../src/adapters/probes/probe-listeners.test-support.js';
import { type Fields, HttpRegistry } from './http-registry.test-support.js';

const LOCAL = { ip: '127.0.0.1', ephemeral: false } as const;
/** The longest interval between two probes. */
const ROUND_MS = 5000;

let registry: HttpRegistry;
let open: { close(): unknown }[];

beforeEach(async () => {
  registry = await HttpRegistry.start();
  registry.probes.start();
  open = [];
});
afterEach(async () => {
  await registry.close();
  for (const each of open) await each.close();
});

/** A listener that takes connections and says nothing. */
async function listener(): Promise<Listener> {
  const opened = await listen(() => undefined);
  open.push(opened);
  return opened;
}

/** Waits until what is probed now has been found. */
async function found(): Promise<void> {
  while (registry.probes.load.inFlight > 0) await new Promise(setImmediate);
}

/** Lets time pass; probes find what they find on the way. */
async function advance(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    registry.advance(100);
    await found();
  }
}

function setCluster(fields: Fields): Promise<unknown> {
  const usual = { serviceName: 's', clusterName: 'DEFAULT', checkPort: 80, useInstancePort4Check: true };
  return registry.send('PUT', '/cluster', { ...usual, ...fields });
}

const healthOf = async () => (await registry.catalog()).map(({ healthy }) => healthy);

describe('BR-038 a probe leaves alone what an operator set', () => {
  it('enabled, weight and metadata stay while health goes down and comes back', async () => {
    const { port } = await listener();
    await registry.register({ ...LOCAL, port });
    await registry.update({ ...LOCAL, port, enabled: false, weight: 7, metadata: '{"zone":"east"}' });
    const edited = { enabled: false, weight: 7, metadata: { zone: 'east' } };
    await advance(2100);
    expect(await registry.catalog()).toMatchObject([{ ...edited, healthy: true }]);
    await (open.pop() as Listener).close();
    await advance(ROUND_MS);
    expect(await registry.catalog()).toMatchObject([{ ...edited, healthy: false }]);
    const again = createServer().listen(port, '127.0.0.1');
    open.push(again);
    await advance(4 * ROUND_MS);
    expect(await registry.catalog()).toMatchObject([{ ...edited, healthy: true }]);
  });
});

describe('BR-040 many probes of one slow target', () => {
  it('200 instances are asked at once, and none fails for having to wait', async () => {
    const held: ServerResponse[] = [];
    const target = createServer((_, response) => void held.push(response)).listen(0, '0.0.0.0');
    await new Promise((listening) => target.once('listening', listening));
    open.push({ close: () => target.closeAllConnections() }, target);
    const { port } = target.address() as AddressInfo;
    await registry.register({ ...LOCAL, port });
    await setCluster({ healthChecker: '{"type":"HTTP","path":"/health","expectedResponseCode":200}' });
    for (let n = 2; n <= 200; n += 1) await registry.register({ ...LOCAL, ip: `127.0.0.${n}`, port });
    expect(new Set(await healthOf())).toEqual(new Set([true]));
    for (let round = 1; round <= 3; round += 1) {
      while (registry.probes.load.inFlight < 200) registry.advance(5);
      while (held.length < 200) await new Promise(setImmediate);
      registry.advance(300);
      for (const response of held.splice(0)) response.end();
      await found();
    }
    expect(registry.probes.counters.outcomes).toMatchObject({ ok: 600, timeout: 0, error: 0 });
    expect(await registry.hosts({ healthyOnly: true })).toHaveLength(200);
  });
});

describe('BR-041 which port is probed', () => {
  it('by default that of the instance, though a cluster names port 80', async () => {
    const { port } = await listener();
    await registry.register({ ...LOCAL, port });
    await advance(3 * ROUND_MS);
    expect(await healthOf()).toEqual([true]);
    expect(registry.probes.counters.outcomes.ok).toBeGreaterThan(1);
    await setCluster({ healthChecker: '{"type":"TCP"}' });
    await advance(ROUND_MS);
    expect(await healthOf()).toEqual([true]);
  });

  it('the check port when the cluster says so: connecting is enough', async () => {
    const [{ port }, checkPort] = [await listener(), await closedPort()];
    await registry.register({ ...LOCAL, port: await closedPort() });
    await setCluster({ healthChecker: '{"type":"TCP"}', checkPort: port, useInstancePort4Check: false });
    await advance(3 * ROUND_MS);
    expect(await healthOf()).toEqual([true]);
    await setCluster({ healthChecker: '{"type":"TCP"}', checkPort, useInstancePort4Check: false });
    await advance(2 * ROUND_MS);
    expect(await healthOf()).toEqual([false]);
  });
});

describe('BR-042 the checker NONE', () => {
  it('holds from the first moment: instances on closed ports are never unhealthy', async () => {
    const port = await closedPort();
    await registry.send('POST', '/service', { serviceName: 's' });
    await setCluster({ healthChecker: '{"type":"NONE"}' });
    for (let n = 1; n <= 50; n += 1) await registry.register({ ...LOCAL, ip: `127.0.0.${n}`, port });
    await advance(3 * ROUND_MS);
    expect(await registry.hosts({ healthyOnly: true })).toHaveLength(50);
    expect(registry.events.filter(({ type }) => type === 'instance-unhealthy')).toEqual([]);
  });

  it('set later, it gives the registered health back', async () => {
    await registry.register({ ...LOCAL, port: await closedPort() });
    await advance(2 * ROUND_MS);
    expect(await healthOf()).toEqual([false]);
    await setCluster({ healthChecker: '{"type":"NONE"}' });
    expect(await healthOf()).toEqual([true]);
  });
});

it('/catalog/rt/service shows how fast a cluster is answered', async () => {
  const times = async () => {
    const { json } = await registry.send('GET', '/catalog/rt/service', { serviceName: 's' });
    return json.clusters[0];
  };
  const { port } = await listener();
  await registry.register({ ...LOCAL, port });
  expect(await times()).toMatchObject({ name: 'DEFAULT', checkRTWorst: 0, checkRTNormalized: 2000 });
  await advance(2100);
  const { checkRTBest, checkRTWorst, checkRTNormalized } = await times();
  expect(checkRTBest).toBeLessThan(500);
  expect(checkRTWorst).toBe(checkRTBest);
  expect(checkRTNormalized).toBeLessThan(2000);
});
