// What happens when a process or the server goes: F10 (exit), F11, F12, F14, and a drain.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { FlowSkip } from '../flow-failure.js';
import { watchList } from '../list-watch.js';
import { RollcallProcess } from '../rollcall-process.js';
import type { ServerEndpoint } from '../server-endpoint.js';
import type { SdkDriver } from './sdk-driver.js';
import { SdkProcess, sdkInstance } from './sdk-process.js';

const CRASH_LIMITS = { strict: [0, 1000], real: [0, 3000] } as const;
const FREEZE_LIMITS = { strict: [18, 30], real: [14, 33] } as const;
const WATCHED_MS = 12_000;
const ANCHOR = '10.11.0.9';
const DRAIN_MS = 30_000;

/** The flows of one SDK whose instances live with its connection. */
export function lossFlows(driver: SdkDriver): readonly Flow[] {
  const { client } = driver;
  return [
    {
      id: 'F11',
      client,
      title: 'kill -9: the consumers of 3 services are told at once',
      seconds: 8,
      runs: 'together',
      run: (context) => killed(context, driver),
    },
    {
      id: 'F12',
      client,
      title: 'frozen process: removed after 18 to 30 s; resumed: registered again',
      seconds: 45,
      runs: 'together',
      run: (context) => frozen(context, driver),
    },
    {
      id: 'F14',
      client,
      title: 'restart of the server: no list and no event with fewer hosts, and the client is back',
      seconds: 30,
      runs: 'alone',
      run: (context) => restarted(context, driver),
    },
    ...(driver.movesWhenAsked
      ? [
          {
            id: 'D01',
            client,
            title: 'drain: the client moves to the other server of its list, which lists it',
            seconds: 25,
            runs: 'alone' as const,
            run: (context: FlowContext) => drained(context, driver),
          },
        ]
      : []),
  ];
}

async function killed(context: FlowContext, driver: SdkDriver): Promise<void> {
  const provider = await SdkProcess.start(context, driver);
  const consumer = await SdkProcess.start(context, driver);
  const services = [1, 2, 3].map(() => context.uniqueName('service'));
  for (const service of services) {
    await registerAnchor(context, service);
    await provider.register(service, sdkInstance({ ip: '10.11.0.1' }));
    await consumer.subscribe(service);
    const both = (event: { readonly service: string; readonly hosts: readonly unknown[] }): boolean =>
      event.service === service && event.hosts.length === 2;
    await consumer.waitForEvent('Both hosts', both, { timeoutMs: 5000 });
  }
  await sleep(300);
  const fromIndex = consumer.events.length;
  const killedAtMs = Date.now();
  await provider.kill();
  let lastMs = 0;
  for (const service of services) {
    const event = await consumer.waitForEvent(
      'One host',
      (one) => one.service === service && one.hosts.length === 1 && one.hosts[0]?.ip === ANCHOR,
      { timeoutMs: 8000, fromIndex },
    );
    lastMs = Math.max(lastMs, event.atMs - killedAtMs);
  }
  context.requireWithin('kill to the event of the last of 3 services', lastMs, 'ms', CRASH_LIMITS);
}

async function frozen(context: FlowContext, driver: SdkDriver): Promise<void> {
  const provider = await SdkProcess.start(context, driver);
  const serviceName = context.uniqueName('service');
  await provider.register(serviceName, sdkInstance({ ip: '10.12.0.1' }));
  const query = { serviceName };
  await watchList(context, { query, wanted: 'Registered', until: ({ hosts }) => hosts.length === 1, timeoutMs: 5000 });
  const frozenAtMs = Date.now();
  provider.freeze();
  const goneAtMs = await watchList(context, {
    query,
    wanted: 'Removed',
    until: ({ hosts }) => hosts.length === 0,
    timeoutMs: 40_000,
  });
  context.requireWithin('frozen to removed', Math.round(goneAtMs - frozenAtMs) / 1000, 's', FREEZE_LIMITS);
  const resumedAtMs = Date.now();
  provider.resume();
  const backAtMs = await watchList(context, {
    query,
    wanted: 'Registered again',
    until: ({ hosts }) => hosts.length === 1,
    timeoutMs: driver.redoMs + 10_000,
  });
  const limits = [0, driver.redoMs] as const;
  context.requireWithin('resumed to registered', backAtMs - resumedAtMs, 'ms', { strict: limits, real: limits });
}

async function restarted(context: FlowContext, driver: SdkDriver): Promise<void> {
  const { restarts } = context.server;
  if (restarts === undefined) throw new FlowSkip('the server was given by URL: it is not ours to stop');
  const provider = await SdkProcess.start(context, driver);
  const consumer = await SdkProcess.start(context, driver);
  const serviceName = context.uniqueName('service');
  await provider.register(serviceName, sdkInstance({ ip: '10.14.0.1', metadata: { before: '1' } }));
  await registerAnchor(context, serviceName);
  await consumer.subscribe(serviceName);
  await consumer.waitForEvent('Both hosts', ({ hosts }) => hosts.length === 2, { timeoutMs: 5000 });
  const fromIndex = consumer.events.length;
  await restarts.stop('SIGKILL');
  await restarts.start();
  const answersAtMs = Date.now();
  let lists = 0;
  while (Date.now() - answersAtMs < WATCHED_MS) {
    const { hosts } = await context.api.list({ serviceName });
    lists += 1;
    context.require(
      hosts.length === 2,
      `${Date.now() - answersAtMs} ms after the restart: ${hosts.length} hosts, not 2`,
    );
    await sleep(20);
  }
  context.measure('lists seen, all complete', lists, '');
  // Its registration of now is one of a new connection: an edit of its metadata is seen by the consumer.
  await provider.register(serviceName, sdkInstance({ ip: '10.14.0.1', metadata: { after: '1' } }));
  const isAfter = ({ hosts }: { readonly hosts: readonly { readonly metadata: Readonly<Record<string, string>> }[] }) =>
    hosts.some(({ metadata }) => metadata.after === '1');
  await consumer.waitForEvent('A change after the restart', isAfter, { timeoutMs: driver.redoMs + 10_000, fromIndex });
  const shorter = consumer.events.slice(fromIndex).find(({ hosts }) => hosts.length < 2);
  context.require(shorter === undefined, `The consumer was told ${shorter?.hosts.length} hosts after the restart`);
}

async function drained(context: FlowContext, driver: SdkDriver): Promise<void> {
  if (context.server.restarts === undefined) throw new FlowSkip('the server was given by URL: it is not ours to drain');
  // The Go SDK finds the target in its list by the address alone: servers that share one are the same to it.
  const servers = [await RollcallProcess.create('127.0.0.1'), await RollcallProcess.create('127.0.0.2')];
  for (const server of servers) {
    context.defer(() => server.remove());
    await server.start();
  }
  const endpoints = servers.map(({ endpoint }) => endpoint);
  const provider = await SdkProcess.start(context, driver, { servers: endpoints });
  const serviceName = context.uniqueName('service');
  await provider.register(serviceName, sdkInstance({ ip: '10.60.0.1' }));
  const connected = await Promise.all(endpoints.map((endpoint) => hostsAt(endpoint, serviceName)));
  const from = connected[0] === 1 ? 0 : 1;
  const [here, there] = [endpoints[from], endpoints[1 - from]] as [ServerEndpoint, ServerEndpoint];
  const startedAtMs = Date.now();
  // The Go SDK stays as long as it is well here, unless it is told where to go.
  const drainUrl = `http://${here.host}:${here.port}/rollcall/v1/drain`;
  const drain = await fetch(`${drainUrl}?target=${there.host}:${there.port}`, { method: 'POST' });
  context.require(drain.ok, `The drain was refused: ${await drain.clone().text()}`);
  while ((await hostsAt(there, serviceName)) !== 1) {
    context.require(Date.now() - startedAtMs < DRAIN_MS, `Not at the other server ${DRAIN_MS} ms after the drain`);
    await sleep(50);
  }
  context.measure('drain to registered at the other server', Date.now() - startedAtMs, 'ms');
  const answer = await fetch(drainUrl);
  const { left } = (await answer.json()) as { left: number };
  context.measure('clients left at the drained server', left, '');
}

async function hostsAt(endpoint: ServerEndpoint, serviceName: string): Promise<number> {
  const url = `http://${endpoint.host}:${endpoint.port}/nacos/v1/ns/instance/list?serviceName=${serviceName}`;
  const { hosts } = (await (await fetch(url)).json()) as { hosts: unknown[] };
  return hosts.length;
}

function registerAnchor(context: FlowContext, serviceName: string): Promise<void> {
  const metadata = JSON.stringify({
    'preserved.heart.beat.timeout': '300000',
    'preserved.ip.delete.timeout': '300000',
  });
  return context.api.register({ serviceName, ip: ANCHOR, port: '8080', metadata });
}
