// F14: the server restarts under its clients: killed, stopped in order, and away for longer than a lease lasts. Nobody is
// ever shown a shorter list because of it, the next beat is answered as known, and persistent data is as it was.
import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { FlowSkip } from '../flow-failure.js';
import type { ListAnswer } from '../naming-api.js';
import { ObservingProxy } from '../observing-proxy.js';
import type { ServerRestarts, StopSignal } from '../server-under-test.js';

interface Restart {
  readonly label: string;
  readonly signal: StopSignal;
  /** Time between stop and start. */
  readonly awayMs: number;
}

const RESTARTS: readonly Restart[] = [
  { label: 'kill -9', signal: 'SIGKILL', awayMs: 0 },
  { label: 'orderly stop', signal: 'SIGTERM', awayMs: 0 },
  { label: 'kill -9, away for 33 s', signal: 'SIGKILL', awayMs: 33_000 },
];

/** Longer than the interval of a beat and the cache time of a poll. */
const WATCH_MS = 8000;
const PROVIDER_IPS = ['10.14.0.1', '10.14.0.2'];
const QUIET = { ip: '10.14.0.3', port: '8080' } as const;
const PERSISTENT = { ip: '10.14.0.4', port: '8080', ephemeral: 'false', weight: '7' } as const;
const HOSTS = PROVIDER_IPS.length + 2;

/** Provider and consumer are npm clients; one more instance is beaten by hand, and one is persistent. */
export const f14Npm: Flow = {
  id: 'F14',
  client: 'npm',
  title: 'restart (kill -9, orderly, away 33 s): never a shorter list, next beat known, persistent data kept',
  seconds: 75,
  runs: 'alone',
  run: async (context) => {
    const { restarts, endpoint } = context.server;
    if (restarts === undefined) throw new FlowSkip('the server was given by URL: it is not ours to stop');
    const serviceName = context.uniqueName('service');
    const namespaceId = context.uniqueName('ns').slice(0, 60);
    const proxy = await ObservingProxy.start(endpoint);
    context.defer(() => proxy.close());
    const provider = await NpmClient.start(context, { endpoint: proxy.endpoint });
    const consumer = await NpmClient.start(context, { endpoint });
    for (const ip of PROVIDER_IPS) await provider.register(serviceName, { ip, port: 8080 });
    await context.api.register({ serviceName, ...QUIET });
    await context.api.register({ serviceName, ...PERSISTENT });
    await createNamespace(context, namespaceId);
    await consumer.subscribe({ serviceName });
    await consumer.waitForEvent('All hosts', ({ hosts }) => hosts.length === HOSTS, { timeoutMs: 10_000 });
    while (proxy.beats.length === 0) await sleep(20);

    for (const restart of RESTARTS) {
      await context.api.beat({ serviceName, ...QUIET });
      await restartAndWatch(context, { restart, restarts, serviceName, proxy, consumer });
      await requireNamespace(context, namespaceId);
    }
  },
};

interface RestartScene {
  readonly restart: Restart;
  readonly restarts: ServerRestarts;
  readonly serviceName: string;
  readonly proxy: ObservingProxy;
  readonly consumer: NpmClient;
}

async function restartAndWatch(context: FlowContext, scene: RestartScene): Promise<void> {
  const { restart, restarts, serviceName, proxy, consumer } = scene;
  const eventsBefore = consumer.events.length;
  await restarts.stop(restart.signal);
  await sleep(restart.awayMs);
  const beatsBefore = proxy.beats.length;
  // The observer asks before the server is there, so that it sees the very first answer.
  const watching = watchEveryList(context, restart.label, serviceName);
  const startMs = await restarts.start();
  context.measure(`${restart.label}: start to first answer`, Math.round(startMs), 'ms');
  const lightBeat = await context.api.beat({ serviceName, ...QUIET });
  context.require(lightBeat.code === 10_200, `${restart.label}: light beat answered ${lightBeat.code}, expected 10200`);
  const lists = await watching;
  context.measure(`${restart.label}: lists seen, all complete`, lists, '');

  const shorter = consumer.events.slice(eventsBefore).find(({ hosts }) => hosts.length < HOSTS);
  context.require(
    shorter === undefined,
    `${restart.label}: the consumer was told ${shorter?.hosts.length} hosts, expected ${HOSTS} or nothing`,
  );
  const beats = proxy.beats.slice(beatsBefore);
  context.require(beats.length > 0, `${restart.label}: no beat of the npm client within ${WATCH_MS} ms`);
  const unknown = beats.find(({ body }) => !body.includes('10200'));
  context.require(unknown === undefined, `${restart.label}: a beat was answered "${unknown?.body}", expected 10200`);
}

/** Asks for the list from now on until some time after the first answer; every answer must be complete and healthy. */
async function watchEveryList(context: FlowContext, label: string, serviceName: string): Promise<number> {
  let firstAnswerAtMs: number | undefined;
  let seen = 0;
  while (firstAnswerAtMs === undefined || Date.now() - firstAnswerAtMs < WATCH_MS) {
    const list = await listIfThere(context, serviceName);
    if (list !== undefined) {
      firstAnswerAtMs ??= Date.now();
      seen++;
      requireComplete(context, `${label}, ${Date.now() - firstAnswerAtMs} ms after the first answer`, list);
    }
    await sleep(10);
  }
  return seen;
}

async function listIfThere(context: FlowContext, serviceName: string): Promise<ListAnswer | undefined> {
  try {
    return await context.api.list({ serviceName });
  } catch (error) {
    // Not there yet: refused, or reset while it starts. Any HTTP answer but 200 is an error of the flow.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

function requireComplete(context: FlowContext, label: string, { hosts }: ListAnswer): void {
  const healthy = hosts.filter((host) => host.healthy || !host.ephemeral).length;
  context.require(
    hosts.length === HOSTS && healthy === HOSTS,
    `${label}: found ${hosts.length} hosts, ${healthy} of them healthy or persistent, expected ${HOSTS}`,
  );
  const persistent = hosts.find(({ ip }) => ip === PERSISTENT.ip);
  context.require(
    persistent?.ephemeral === false && persistent.weight === 7,
    `${label}: persistent instance is ${JSON.stringify(persistent)}`,
  );
}

async function createNamespace(context: FlowContext, namespaceId: string): Promise<void> {
  const form = { customNamespaceId: namespaceId, namespaceName: 'restart', namespaceDesc: '重启' };
  await context.api.mustCall({ method: 'POST', path: '/v1/console/namespaces', form });
}

async function requireNamespace(context: FlowContext, namespaceId: string): Promise<void> {
  const body = await context.api.mustCall({ method: 'GET', path: '/v1/console/namespaces' });
  context.require(body.includes(`"${namespaceId}"`), `Namespace "${namespaceId}" is missing after a restart: ${body}`);
}
