// F24: a large service reaches a consumer, and so does one more change; also when its list does not fit a datagram, which
// leaves polling.
import { randomBytes } from 'node:crypto';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { LONG_LEASE_METADATA } from '../lease-watch.js';
import { consumerLimits } from '../push-promise.js';

const INSTANCES = 1000;
const IN_FLIGHT = 16;
const WITHIN_MS = 15_000;
/** Enough that 1000 hosts need far more than a datagram. */
const NOISE_CHARACTERS = 200;
const BY_POLLING = { strict: [0, 12_000], real: [0, 12_000] } as const;

/** One service whose list compresses, and one whose list does not. */
export const f24Npm: Flow = {
  id: 'F24',
  client: 'npm',
  title: '1000 instances reach the consumer within 15 s, one more change too; also where no datagram holds the list',
  seconds: 30,
  runs: 'together',
  run: async (context) => {
    const limits = await consumerLimits(context);
    await reachConsumer(context, { label: 'compressible', noise: () => '', limits });
    const noise = (): string => randomBytes(NOISE_CHARACTERS / 2).toString('hex');
    await reachConsumer(context, { label: 'not compressible', noise, limits: BY_POLLING });
  },
};

interface LargeService {
  readonly label: string;
  readonly noise: () => string;
  /** From the one more change to the event. */
  readonly limits: Parameters<FlowContext['requireWithin']>[3];
}

async function reachConsumer(context: FlowContext, { label, noise, limits }: LargeService): Promise<void> {
  const serviceName = context.uniqueName('service');
  const consumer = await NpmClient.start(context, { endpoint: context.server.endpoint });
  const register = (index: number): Promise<void> =>
    context.api.register({
      serviceName,
      ip: `10.24.${index >> 8}.${index & 255}`,
      port: '8080',
      metadata: JSON.stringify({ ...LONG_LEASE_METADATA, noise: noise() }),
    });
  await register(0);
  await consumer.subscribe({ serviceName });
  await consumer.waitForEvent('First host', ({ hosts }) => hosts.length === 1, { timeoutMs: 10_000 });

  let next = 1;
  const registerRest = async (): Promise<void> => {
    while (next < INSTANCES) await register(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, registerRest));
  const registeredAtMs = Date.now();
  const event = await consumer.waitForEvent(`${label}: all hosts`, ({ hosts }) => hosts.length === INSTANCES, {
    timeoutMs: WITHIN_MS,
  });
  context.measure(`${label}: last registration to event`, event.atMs - registeredAtMs, 'ms');

  const startedAtMs = Date.now();
  await register(INSTANCES);
  const more = await consumer.waitForEvent(`${label}: one more host`, ({ hosts }) => hosts.length === INSTANCES + 1, {
    timeoutMs: limits[context.strength][1] + 2000,
  });
  context.requireWithin(`${label}: one more change to event`, more.atMs - startedAtMs, 'ms', limits);
}
