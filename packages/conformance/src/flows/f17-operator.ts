// F17: an operator takes an instance out of service and changes a weight; the list and the consumer follow, and what the
// provider registers again does not undo it.
import { setTimeout as sleep } from 'node:timers/promises';
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { watchList } from '../list-watch.js';
import type { ListedHost } from '../naming-api.js';
import { consumerLimits } from '../push-promise.js';

const EDITED = { ip: '10.17.0.1', port: 8080 } as const;
const OTHER = { ip: '10.17.0.2', port: 8080 } as const;

/** Edits by PUT, as the console sends them; provider and consumer are npm clients. */
export const f17Npm: Flow = {
  id: 'F17',
  client: 'npm',
  title: 'PUT enabled=false leaves the lists, weight 5 shows, both told to the consumer; kept over a registration',
  seconds: 12,
  runs: 'together',
  run: async (context) => {
    const { endpoint } = context.server;
    const provider = await NpmClient.start(context, { endpoint });
    const consumer = await NpmClient.start(context, { endpoint });
    const serviceName = context.uniqueName('service');
    for (const instance of [EDITED, OTHER]) await provider.register(serviceName, instance);
    await consumer.subscribe({ serviceName });
    await consumer.waitForEvent('Both hosts', ({ hosts }) => hosts.length === 2, { timeoutMs: 10_000 });

    const disabled = (hosts: readonly ListedHost[]): boolean => findEdited(hosts) === undefined;
    await editAndWatch(context, consumer, {
      serviceName,
      label: 'disabled',
      edit: { enabled: 'false' },
      seen: disabled,
    });
    const heavier = (hosts: readonly ListedHost[]): boolean => findEdited(hosts)?.weight === 5;
    const edit = { enabled: 'true', weight: '5' };
    await editAndWatch(context, consumer, { serviceName, label: 'weight 5', edit, seen: heavier });

    await provider.register(serviceName, EDITED);
    await sleep(500);
    const weight = findEdited((await context.api.list({ serviceName })).hosts)?.weight;
    context.measure('weight after a registration with 1', weight ?? 0, '');
    const isKept = context.strength === 'real' || weight === 5;
    context.require(isKept, `Edited weight after a registration: found ${weight}, expected 5`);
  },
};

interface EditWatch {
  readonly serviceName: string;
  readonly label: string;
  readonly edit: Readonly<Record<string, string>>;
  readonly seen: (hosts: readonly ListedHost[]) => boolean;
}

async function editAndWatch(context: FlowContext, consumer: NpmClient, watch: EditWatch): Promise<void> {
  const { serviceName, label, edit, seen } = watch;
  const limits = await consumerLimits(context);
  const fromIndex = consumer.events.length;
  const startedAtMs = Date.now();
  const query = {
    serviceName,
    ip: EDITED.ip,
    port: String(EDITED.port),
    clusterName: 'DEFAULT',
    ephemeral: 'true',
    ...edit,
  };
  await context.api.mustCall({ method: 'PUT', path: '/v1/ns/instance', query });
  const listedAtMs = await watchList(context, {
    query: { serviceName },
    wanted: `${label} in the neutral list`,
    until: ({ hosts }) => seen(hosts),
    timeoutMs: 5000,
  });
  context.requireWithin(`${label}: call to list`, listedAtMs - startedAtMs, 'ms', {
    strict: [0, 1000],
    real: [0, 2500],
  });
  const timeoutMs = limits[context.strength][1] + 5000;
  const event = await consumer.waitForEvent(label, ({ hosts }) => seen(hosts), { timeoutMs, fromIndex });
  context.requireWithin(`${label}: call to event`, event.atMs - startedAtMs, 'ms', limits);
}

function findEdited<H extends { readonly ip: string }>(hosts: readonly H[]): H | undefined {
  return hosts.find(({ ip }) => ip === EDITED.ip);
}
