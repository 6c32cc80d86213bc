// What an SDK registers is what others see: F02, F03, F04, F18, F19, and a client of 1.x beside it.

import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { metadataDifference, RICH_INSTANCE, RICH_METADATA } from '../instance-content.js';
import { holdList, watchList } from '../list-watch.js';
import type { ListedHost } from '../naming-api.js';
import type { SdkDriver } from './sdk-driver.js';
import { SdkProcess, sdkInstance } from './sdk-process.js';

const SERVICES = 10;
const VISIBLE_LIMITS = { strict: [0, 1000], real: [0, 1500] } as const;
const EVENT_LIMITS = { strict: [0, 1000], real: [0, 2500] } as const;
const PERSISTENT_MS = 5000;

/** The flows of one SDK. */
export function contentFlows(driver: SdkDriver): readonly Flow[] {
  const { client } = driver;
  const together = { client, runs: 'together' } as const;
  return [
    {
      ...together,
      id: 'F02',
      title: '10 registrations, each in the neutral list within 1 s of the start of its call',
      seconds: 5,
      run: (context) => registerAndWatch(context, driver),
    },
    {
      ...together,
      id: 'F03',
      title: 'weight, port, cluster and 104 metadata keys equal in both lists',
      seconds: 4,
      run: (context) => fidelity(context, driver),
    },
    {
      ...together,
      id: 'F04',
      title: 'groups and namespaces are apart, in both lists',
      seconds: 6,
      run: (context) => isolation(context, driver),
    },
    {
      ...together,
      id: 'F18',
      title: 'a persistent instance outlives its owner, an ephemeral one beside it is refused',
      seconds: 10,
      run: (context) => persistent(context, driver),
    },
    {
      ...together,
      id: 'X01',
      title: 'a change by a client of 1.x is told to this one, and the other way round',
      seconds: 8,
      run: (context) => mixed(context, driver),
    },
    ...(driver.canBatch
      ? [
          {
            ...together,
            id: 'F19',
            title: 'a batch of 3 (one unhealthy), a smaller one replaces it, the last one is deregistered',
            seconds: 5,
            run: (context: FlowContext) => batch(context, driver),
          },
        ]
      : []),
  ];
}

async function registerAndWatch(context: FlowContext, driver: SdkDriver): Promise<void> {
  const sdk = await SdkProcess.start(context, driver);
  const timesMs: number[] = [];
  for (let n = 0; n < SERVICES; n += 1) {
    const serviceName = context.uniqueName('service');
    const startedAtMs = Date.now();
    await sdk.register(serviceName, sdkInstance({ ip: '10.2.0.1' }));
    timesMs.push((await watchCount(context, { serviceName }, 1)) - startedAtMs);
  }
  context.requireWithin('slowest start of call to visible', Math.max(...timesMs), 'ms', VISIBLE_LIMITS);
}

async function fidelity(context: FlowContext, driver: SdkDriver): Promise<void> {
  const sdk = await SdkProcess.start(context, driver);
  const serviceName = context.uniqueName('service');
  const sent = sdkInstance({ ...RICH_INSTANCE, metadata: RICH_METADATA });
  await sdk.register(serviceName, sent);
  await watchCount(context, { serviceName }, 1);
  const listed = (await context.api.list({ serviceName })).hosts[0];
  requireEqual(context, 'neutral list', sent, listed);
  requireEqual(context, 'query of the SDK', sent, (await sdk.query(serviceName))[0]);
}

function requireEqual(context: FlowContext, where: string, sent: ListedHost, found: ListedHost | undefined): void {
  for (const member of ['ip', 'port', 'weight', 'healthy', 'enabled', 'ephemeral', 'clusterName'] as const)
    context.require(
      found?.[member] === sent[member],
      `${where}: "${member}" is ${JSON.stringify(found?.[member])}, sent was ${JSON.stringify(sent[member])}`,
    );
  const difference = metadataDifference(sent.metadata, found?.metadata ?? {});
  context.require(difference === undefined, `${where}: ${difference}`);
}

async function isolation(context: FlowContext, driver: SdkDriver): Promise<void> {
  const namespaceId = context.uniqueName('ns').slice(-60);
  await context.api.createNamespace(namespaceId);
  const here = await SdkProcess.start(context, driver);
  const there = await SdkProcess.start(context, driver, { namespace: namespaceId });
  const service = context.uniqueName('service');
  await here.register(service, sdkInstance({ ip: '10.4.0.1' }));
  await here.register(service, sdkInstance({ ip: '10.4.0.2', clusterName: 'east' }), 'other-group');
  await there.register(service, sdkInstance({ ip: '10.4.0.3' }));
  await requireHosts(context, here, { service, ip: '10.4.0.1', query: { serviceName: service } });
  const group = { service, group: 'other-group' };
  const query = { serviceName: service, groupName: 'other-group', clusters: 'east' };
  await requireHosts(context, here, { ...group, ip: '10.4.0.2', query });
  await requireHosts(context, there, { service, ip: '10.4.0.3', query: { serviceName: service, namespaceId } });
  const unknown = await here.query(context.uniqueName('nobody'));
  context.require(unknown.length === 0, `Unknown service: found ${unknown.length} hosts, expected none`);
}

async function requireHosts(
  context: FlowContext,
  sdk: SdkProcess,
  { service, group, ip, query }: { service: string; group?: string; ip: string; query: Record<string, string> },
): Promise<void> {
  await watchList(context, {
    query,
    wanted: `"${ip}" alone`,
    until: ({ hosts }) => hosts.length === 1 && hosts[0]?.ip === ip,
    timeoutMs: 3000,
  });
  const seen = (await sdk.query(service, group)).map((host) => host.ip);
  context.require(seen.join() === ip, `Query of the SDK: found ${JSON.stringify(seen)}, expected only "${ip}"`);
}

async function batch(context: FlowContext, driver: SdkDriver): Promise<void> {
  const sdk = await SdkProcess.start(context, driver);
  const serviceName = context.uniqueName('service');
  const all = [1, 2, 3].map((n) => sdkInstance({ ip: `10.19.0.${n}`, healthy: n !== 3 }));
  await sdk.batch(serviceName, all);
  await watchCount(context, { serviceName }, 3);
  const unhealthy = (await sdk.query(serviceName)).filter(({ healthy }) => !healthy).map(({ ip }) => ip);
  context.require(unhealthy.join() === '10.19.0.3', `Unhealthy: found ${unhealthy.join()}, expected 10.19.0.3`);
  await sdk.batch(serviceName, all.slice(0, 2));
  await watchCount(context, { serviceName }, 2);
  const [first] = all as [ListedHost];
  await sdk.batch(serviceName, [first]);
  await watchCount(context, { serviceName }, 1);
  await sdk.deregister(serviceName, first);
  await watchCount(context, { serviceName }, 0);
}

async function persistent(context: FlowContext, driver: SdkDriver): Promise<void> {
  const owner = await SdkProcess.start(context, driver);
  const serviceName = context.uniqueName('service');
  await owner.register(serviceName, sdkInstance({ ip: '127.0.0.1', port: 9, ephemeral: false }));
  await watchCount(context, { serviceName }, 1);
  await owner.kill();
  await holdList(context, {
    query: { serviceName },
    wanted: 'The persistent instance stays',
    while: ({ hosts }) => hosts.length === 1 && hosts[0]?.ephemeral === false,
    forMs: PERSISTENT_MS,
    everyMs: 100,
  });
  if (context.strength !== 'strict' || driver.transport !== 'grpc') return;
  const other = await SdkProcess.start(context, driver);
  const ephemeral = sdkInstance({ ip: '10.18.0.2' });
  // Some SDKs report the refusal, some only log it: the list decides.
  await other.register(serviceName, ephemeral).catch(() => undefined);
  const { hosts } = await context.api.list({ serviceName });
  context.require(hosts.length === 1, `An ephemeral instance beside a persistent one: found ${hosts.length} hosts`);
}

async function mixed(context: FlowContext, driver: SdkDriver): Promise<void> {
  const service = context.uniqueName('service');
  const sdk = await SdkProcess.start(context, driver);
  const old = await NpmClient.start(context, { endpoint: context.server.endpoint });
  await sdk.subscribe(service);
  await old.subscribe({ serviceName: service });
  const toSdk = await timed(
    () => old.register(service, { ip: '10.50.0.1', port: 8080 }),
    (timeoutMs) =>
      sdk.waitForEvent('Event of the 1.x registration', ({ hosts }) => hosts.some(({ ip }) => ip === '10.50.0.1'), {
        timeoutMs,
      }),
  );
  context.requireWithin('registered by 1.x to event', toSdk, 'ms', EVENT_LIMITS);
  // The 1.x client polls until the first list that is not empty; only then does the server know where to push.
  await old.waitForEvent('First list', ({ hosts }) => hosts.length === 1, { timeoutMs: 15_000 });
  await sleep(500);
  const toOld = await timed(
    () => sdk.register(service, sdkInstance({ ip: '10.50.0.2' })),
    (timeoutMs) =>
      old.waitForEvent('Event of the other registration', ({ hosts }) => hosts.length === 2, { timeoutMs }),
  );
  context.requireWithin('registered by this SDK to event of 1.x', toOld, 'ms', EVENT_LIMITS);
}

/** Time from the start of a change to its event, ms. */
async function timed(
  change: () => Promise<void>,
  event: (timeoutMs: number) => Promise<{ readonly atMs: number }>,
): Promise<number> {
  const startedAtMs = Date.now();
  await change();
  return (await event(EVENT_LIMITS.real[1] + 5000)).atMs - startedAtMs;
}

function watchCount(context: FlowContext, query: { readonly serviceName: string }, count: number): Promise<number> {
  const wanted = `${count} hosts listed`;
  return watchList(context, {
    query,
    wanted,
    until: ({ hosts }) => hosts.length === count,
    timeoutMs: 5000,
    everyMs: 2,
  });
}
