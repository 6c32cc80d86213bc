// F03: every field arrives as it was sent, in the client's list and in the neutral one.
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { metadataDifference, RICH_INSTANCE, RICH_METADATA } from '../instance-content.js';
import type { ListedHost } from '../naming-api.js';

/** By the npm client, which sends everything in the query. */
export const f03Npm: Flow = {
  id: 'F03',
  client: 'npm',
  title: 'weight, port, cluster, ephemeral and 104 metadata keys equal in both lists',
  seconds: 2,
  runs: 'together',
  run: async (context) => {
    const client = await NpmClient.start(context, { endpoint: context.server.endpoint });
    const serviceName = context.uniqueName('service');
    await client.register(serviceName, { ...RICH_INSTANCE, metadata: RICH_METADATA });
    requireFaithful(context, 'neutral list', (await context.api.list({ serviceName })).hosts);
    const clusters = RICH_INSTANCE.clusterName;
    requireFaithful(context, "client's list", await client.instances({ serviceName, clusters, subscribe: true }));
  },
};

/** By a form body. */
export const f03Raw: Flow = {
  id: 'F03',
  client: 'raw',
  title: 'the same by a form body, and again by a full beat for an unknown instance',
  seconds: 1,
  runs: 'together',
  run: async (context) => {
    const { ip, port, weight, clusterName } = RICH_INSTANCE;
    const serviceName = context.uniqueName('form');
    const metadata = JSON.stringify(RICH_METADATA);
    const form = { serviceName, ip, port: String(port), weight: String(weight), clusterName, metadata };
    await context.api.mustCall({ method: 'POST', path: '/v1/ns/instance', form });
    requireFaithful(context, 'list after a form', (await context.api.list({ serviceName })).hosts);

    const beaten = context.uniqueName('beat');
    const beat = JSON.stringify({
      ip,
      port,
      weight,
      cluster: clusterName,
      metadata: RICH_METADATA,
      serviceName: beaten,
    });
    await context.api.mustCall({
      method: 'PUT',
      path: '/v1/ns/instance/beat',
      query: { serviceName: beaten },
      form: { beat },
    });
    requireFaithful(context, 'list after a full beat', (await context.api.list({ serviceName: beaten })).hosts);
  },
};

function requireFaithful(context: FlowContext, where: string, hosts: readonly ListedHost[]): void {
  const [host] = hosts;
  context.require(hosts.length === 1, `${where}: found ${hosts.length} hosts, expected 1`);
  if (host === undefined) return;
  for (const field of ['ip', 'port', 'weight', 'clusterName', 'ephemeral'] as const) {
    const expected = RICH_INSTANCE[field];
    context.require(host[field] === expected, `${where}, ${field}: found ${host[field]}, expected ${expected}`);
  }
  const difference = metadataDifference(RICH_METADATA, host.metadata);
  context.require(difference === undefined, `${where}, metadata: ${difference}`);
}
