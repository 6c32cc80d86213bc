// F04: namespaces, groups, clusters and names keep instances apart, and what is unknown is an empty list.
import { NpmClient } from '../client/npm-client.js';
import type { ClientQuery } from '../client/npm-client-message.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';

interface Expectation {
  readonly label: string;
  readonly groupName?: string;
  readonly clusters?: string;
  readonly ips: readonly string[];
}

/** One service name, five instances that differ in group, cluster and namespace. */
const PLACES = [
  { ip: '10.4.0.1', clusterName: 'c1' },
  { ip: '10.4.0.2', clusterName: 'c2' },
  { ip: '10.4.0.3', clusterName: 'c3' },
  { ip: '10.4.0.4', clusterName: 'c1', groupName: 'other-group' },
] as const;
const FOREIGN_IP = '10.4.0.5';

const EXPECTATIONS: readonly Expectation[] = [
  { label: 'all clusters', ips: ['10.4.0.1', '10.4.0.2', '10.4.0.3'] },
  { label: 'one cluster', clusters: 'c2', ips: ['10.4.0.2'] },
  { label: 'two clusters', clusters: 'c1,c3', ips: ['10.4.0.1', '10.4.0.3'] },
  { label: 'unknown cluster', clusters: 'c9', ips: [] },
  { label: 'other group', groupName: 'other-group', ips: ['10.4.0.4'] },
  { label: 'unknown group', groupName: 'nobody', ips: [] },
];

/** Registered and asked for by the npm client. */
export const f04Npm: Flow = {
  id: 'F04',
  client: 'npm',
  title: 'group, cluster, two clusters, namespace, unknown group and service, in both lists',
  seconds: 3,
  runs: 'together',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const namespace = context.uniqueName('ns');
    const { endpoint } = context.server;
    const client = await NpmClient.start(context, { endpoint });
    const foreigner = await NpmClient.start(context, { endpoint, namespace });
    for (const { ip, clusterName, ...place } of PLACES) {
      const groupName = 'groupName' in place ? place.groupName : 'DEFAULT_GROUP';
      await client.register(serviceName, { ip, port: 8080, clusterName }, groupName);
    }
    await foreigner.register(serviceName, { ip: FOREIGN_IP, port: 8080 });

    for (const { label, ips, ...where } of EXPECTATIONS) {
      await requireBoth(context, client, { serviceName, ...where }, label, ips);
    }
    await requireBoth(context, client, { serviceName: context.uniqueName('unknown') }, 'unknown service', []);
    const foreign = await foreigner.instances({ serviceName, subscribe: false });
    requireIps(context, "other namespace, client's list", foreign, [FOREIGN_IP]);
    const { hosts } = await context.api.list({ serviceName, namespaceId: namespace });
    requireIps(context, 'other namespace, neutral list', hosts, [FOREIGN_IP]);
    await requireHealthFilter(context, client);
  },
};

/** The npm client filters by health and weight itself; what it gets must be right for that. */
async function requireHealthFilter(context: FlowContext, client: NpmClient): Promise<void> {
  const serviceName = context.uniqueName('health');
  await client.register(serviceName, { ip: '10.4.1.1', port: 8080 });
  await context.api.register({ serviceName, ip: '10.4.1.2', port: '8080', healthy: 'false' });
  const healthy = await client.instances({ serviceName, clusters: 'DEFAULT', healthy: true, subscribe: false });
  requireIps(context, 'selectInstances of healthy ones', healthy, ['10.4.1.1']);
  const unhealthy = await client.instances({ serviceName, clusters: 'DEFAULT', healthy: false, subscribe: false });
  requireIps(context, 'selectInstances of unhealthy ones', unhealthy, ['10.4.1.2']);
  const { hosts } = await context.api.list({ serviceName, healthyOnly: 'true' });
  requireIps(context, 'list with healthyOnly', hosts, ['10.4.1.1']);
}

async function requireBoth(
  context: FlowContext,
  client: NpmClient,
  query: ClientQuery,
  label: string,
  ips: readonly string[],
): Promise<void> {
  requireIps(context, `${label}, client's list`, await client.instances({ ...query, subscribe: false }), ips);
  const { serviceName, groupName = 'DEFAULT_GROUP', clusters = '' } = query;
  const { hosts } = await context.api.list({ serviceName, groupName, clusters });
  requireIps(context, `${label}, neutral list`, hosts, ips);
}

function requireIps(
  context: FlowContext,
  label: string,
  hosts: readonly { readonly ip: string }[],
  expected: readonly string[],
): void {
  const found = hosts.map(({ ip }) => ip).toSorted();
  context.require(
    JSON.stringify(found) === JSON.stringify(expected),
    `${label}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`,
  );
}
