// How soon an SDK is told: F06, F09, F10, F17, F23, F24.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import type { ListedHost } from '../naming-api.js';
import { handSubscriber, newestList } from './hand-subscriber.js';
import { percentile } from './percentile.js';
import type { SdkDriver } from './sdk-driver.js';
import { SdkProcess, sdkInstance } from './sdk-process.js';

const LIMITS = { strict: [0, 1000], real: [0, 2500] } as const;
const TIMEOUT_MS = 8000;
const CHANGES = 50;
const SERVICES = 5;
/** Longer than the merge window of pushes, so that each change is a push of its own. */
const CHANGE_PAUSE_MS = 150;
const DEREGISTRATIONS = 8;
const CHURN_MS = 10_000;
const CHURN_CHANGES = 1000;
const CHURN_INSTANCES = 20;
/** Of the SDK in one process, and by hand: a hundred subscribers in all. */
const CHURN_CLIENTS = 20;
const CHURN_BY_HAND = 80;
const CHURN_LIMITS = { strict: [0, 1000], real: [0, 3000] } as const;
const LARGE = 1000;
const LARGE_LIMITS = { strict: [0, 15_000], real: [0, 15_000] } as const;
/** Keeps a list from being empty, which some SDKs do not show. */
const ANCHOR = '10.9.0.9';

/** The flows of one SDK. */
export function eventFlows(driver: SdkDriver): readonly Flow[] {
  const { client } = driver;
  const flow = (id: string, title: string, seconds: number, run: Flow['run']): Flow => ({
    id,
    client,
    title,
    seconds,
    runs: 'together',
    run,
  });
  const alone = { runs: 'alone' } as const;
  return [
    {
      ...flow('F06', '50 changes of 5 services, each told at once', 15, (context) => changes(context, driver)),
      ...alone,
    },
    flow('F10', '8 deregistrations, each told at once', 6, (context) => deregistrations(context, driver)),
    flow('F17', "an operator's edit is told at once, and outlives a registration", 6, (context) =>
      edits(context, driver),
    ),
    {
      ...flow('F23', '1000 changes in 10 s, 20 subscribers of the SDK and 80 by hand end equal', 60, (context) =>
        churn(context, driver),
      ),
      ...alone,
    },
    {
      ...flow('F24', '1000 hosts in one service, and one change more', 20, (context) => large(context, driver)),
      ...alone,
    },
    ...(driver.showsEmptyLists
      ? [flow('F09', 'the last instance leaves: an event without hosts', 4, (context) => lastInstance(context, driver))]
      : []),
  ];
}

async function pair(context: FlowContext, driver: SdkDriver, clients = 1) {
  const provider = await SdkProcess.start(context, driver);
  const consumer = await SdkProcess.start(context, driver, { clients });
  return { provider, consumer };
}

async function changes(context: FlowContext, driver: SdkDriver): Promise<void> {
  const { provider, consumer } = await pair(context, driver);
  const services = Array.from({ length: SERVICES }, () => context.uniqueName('service'));
  const instance = (change: number): ListedHost =>
    sdkInstance({ ip: '10.6.0.1', metadata: { change: String(change) } });
  for (const service of services) {
    await provider.register(service, instance(-1));
    await consumer.subscribe(service);
  }
  const timesMs: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    await sleep(CHANGE_PAUSE_MS);
    const service = services[change % SERVICES] as string;
    const startedAtMs = Date.now();
    await provider.register(service, instance(change));
    const event = await consumer.waitForEvent(
      `Event of change ${change}`,
      (one) => one.service === service && one.hosts[0]?.metadata.change === String(change),
      { timeoutMs: TIMEOUT_MS },
    );
    timesMs.push(Math.max(0, event.atMs - startedAtMs));
  }
  context.measure('change to event, p50', percentile(timesMs, 0.5), 'ms');
  context.requireWithin('change to event, p99', percentile(timesMs, 0.99), 'ms', LIMITS);
}

async function deregistrations(context: FlowContext, driver: SdkDriver): Promise<void> {
  const { consumer } = await pair(context, driver);
  const service = context.uniqueName('service');
  await registerAnchor(context, service);
  await consumer.subscribe(service);
  const provider = await SdkProcess.start(context, driver);
  const timesMs: number[] = [];
  for (let n = 0; n < DEREGISTRATIONS; n += 1) {
    const instance = sdkInstance({ ip: `10.10.0.${n}` });
    const fromIndex = consumer.events.length;
    await provider.register(service, instance);
    await consumer.waitForEvent('Both hosts', ({ hosts }) => hosts.length === 2, { timeoutMs: TIMEOUT_MS, fromIndex });
    await sleep(CHANGE_PAUSE_MS);
    const leavesFrom = consumer.events.length;
    const startedAtMs = Date.now();
    await provider.deregister(service, instance);
    const isGone = ({ hosts }: { readonly hosts: readonly ListedHost[] }): boolean => hosts.length === 1;
    const event = await consumer.waitForEvent('One host', isGone, { timeoutMs: TIMEOUT_MS, fromIndex: leavesFrom });
    timesMs.push(event.atMs - startedAtMs);
  }
  context.measure('deregister to event, p50', percentile(timesMs, 0.5), 'ms');
  context.requireWithin('deregister to event, slowest', Math.max(...timesMs), 'ms', LIMITS);
}

async function lastInstance(context: FlowContext, driver: SdkDriver): Promise<void> {
  const { provider, consumer } = await pair(context, driver);
  const service = context.uniqueName('service');
  const instance = sdkInstance({ ip: '10.9.0.1' });
  await provider.register(service, instance);
  await consumer.subscribe(service);
  await consumer.waitForEvent('One host', ({ hosts }) => hosts.length === 1, { timeoutMs: TIMEOUT_MS });
  const startedAtMs = Date.now();
  await provider.deregister(service, instance);
  const event = await consumer.waitForEvent('No hosts', ({ hosts }) => hosts.length === 0, { timeoutMs: TIMEOUT_MS });
  context.requireWithin('deregister to empty event', event.atMs - startedAtMs, 'ms', LIMITS);
}

async function edits(context: FlowContext, driver: SdkDriver): Promise<void> {
  const { provider, consumer } = await pair(context, driver);
  const serviceName = context.uniqueName('service');
  const instance = sdkInstance({ ip: '10.17.0.1' });
  await registerAnchor(context, serviceName);
  await provider.register(serviceName, instance);
  await consumer.subscribe(serviceName);
  await consumer.waitForEvent('Both hosts', ({ hosts }) => hosts.length === 2, { timeoutMs: TIMEOUT_MS });
  const startedAtMs = Date.now();
  const query = { serviceName, ip: instance.ip, port: '8080', enabled: 'false' };
  await context.api.mustCall({ method: 'PUT', path: '/v1/ns/instance', query });
  const event = await consumer.waitForEvent('Disabled', ({ hosts }) => hosts.length === 1, { timeoutMs: TIMEOUT_MS });
  context.requireWithin('disabled to event', event.atMs - startedAtMs, 'ms', LIMITS);
  await provider.register(serviceName, { ...instance, metadata: { again: '1' } });
  const { hosts } = await context.api.list({ serviceName });
  context.measure('hosts after the registration that followed (1: the edit stays)', hosts.length, '');
  if (context.strength === 'strict') context.require(hosts.length === 1, 'The edit did not outlive a registration');
}

async function churn(context: FlowContext, driver: SdkDriver): Promise<void> {
  const service = context.uniqueName('service');
  await registerAnchor(context, service);
  const consumer = await SdkProcess.start(context, driver, { clients: CHURN_CLIENTS });
  await consumer.subscribe(service);
  const peers = await Promise.all(Array.from({ length: CHURN_BY_HAND }, () => handSubscriber(context, service)));
  for (let change = 0; change < CHURN_CHANGES; change += 1) {
    const ip = `10.23.0.${change % CHURN_INSTANCES}`;
    const metadata = JSON.stringify({ change: String(change), 'preserved.heart.beat.timeout': '120000' });
    await context.api.register({ serviceName: service, ip, port: '8080', metadata });
    await sleep(CHURN_MS / CHURN_CHANGES - 1);
  }
  const lastChangeAtMs = Date.now();
  const { hosts } = await context.api.list({ serviceName: service });
  const wanted = textOf(hosts);
  let latestMs = 0;
  // Those by hand are read by this process: it must not look through ten thousand events before it has read them.
  for (const [index, peer] of peers.entries()) {
    const ifEqual = () => {
      const newest = newestList(peer);
      return newest !== undefined && textOf(newest.hosts) === wanted ? newest : undefined;
    };
    const push = await peer.until(ifEqual, CHURN_LIMITS.real[1] + 5000);
    context.require(push !== undefined, `The newest push of subscriber ${index} by hand is not the last list`);
    latestMs = Math.max(latestMs, (push?.atMs ?? 0) - lastChangeAtMs);
  }
  for (let client = 0; client < CHURN_CLIENTS; client += 1) {
    const event = await consumer.waitForEvent(
      `Client ${client} equal to the neutral list`,
      (one) => one.client === client && textOf(one.hosts) === wanted,
      { timeoutMs: CHURN_LIMITS.real[1] + 5000, fromIndex: 0 },
    );
    latestMs = Math.max(latestMs, event.atMs - lastChangeAtMs);
  }
  context.measure('events of the SDK', consumer.events.length, '');
  context.requireWithin('last change to all equal', latestMs, 'ms', CHURN_LIMITS);
}

async function large(context: FlowContext, driver: SdkDriver): Promise<void> {
  const service = context.uniqueName('service');
  const consumer = await SdkProcess.start(context, driver);
  await consumer.subscribe(service);
  const startedAtMs = Date.now();
  for (let n = 0; n < LARGE; n += 1) await registerHost(context, service, `10.24.${n >> 8}.${n & 255}`);
  const all = await consumer.waitForEvent('1000 hosts', ({ hosts }) => hosts.length === LARGE, { timeoutMs: 30_000 });
  context.requireWithin('first registration to 1000 hosts', all.atMs - startedAtMs, 'ms', LARGE_LIMITS);
  await sleep(CHANGE_PAUSE_MS);
  const oneMoreAtMs = Date.now();
  await registerHost(context, service, '10.24.9.9');
  const more = await consumer.waitForEvent('1001 hosts', ({ hosts }) => hosts.length > LARGE, { timeoutMs: 30_000 });
  context.requireWithin('one more to event', more.atMs - oneMoreAtMs, 'ms', LARGE_LIMITS);
}

function textOf(hosts: readonly Pick<ListedHost, 'ip' | 'metadata'>[]): string {
  return hosts
    .map(({ ip, metadata }) => `${ip} ${metadata.change}`)
    .sort()
    .join();
}

function registerAnchor(context: FlowContext, serviceName: string): Promise<void> {
  return registerHost(context, serviceName, ANCHOR);
}

/** An instance that stays without beats for the time of a flow. */
function registerHost(context: FlowContext, serviceName: string, ip: string): Promise<void> {
  const metadata = JSON.stringify({
    'preserved.heart.beat.timeout': '300000',
    'preserved.ip.delete.timeout': '300000',
  });
  return context.api.register({ serviceName, ip, port: '8080', metadata });
}
