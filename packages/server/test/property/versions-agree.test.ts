// Whatever is registered, removed and edited over whichever version of HTTP, all versions list the same instances with the same
// real health, weight, enabled and metadata.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Fields, HttpRegistry } from '../bug-reports/http-registry.test-support.js';

const PATHS = ['/v1/ns/instance', '/v2/ns/instance', '/v3/admin/ns/instance', '/v3/client/ns/instance'] as const;
const CLUSTERS = ['DEFAULT', 'C1'] as const;

interface Move {
  readonly path: number;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly port: number;
  readonly cluster: number;
  readonly fields: Fields;
}

const fields = fc.record(
  {
    weight: fc.constantFrom(0, 0.5, 3),
    enabled: fc.boolean(),
    healthy: fc.boolean(),
    ephemeral: fc.constantFrom(true, true, false),
    metadata: fc.constantFrom('a=1', 'b=2', '{}'),
  },
  { requiredKeys: [] },
);

const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({
    path: fc.nat(PATHS.length - 1),
    method: fc.constantFrom('POST', 'POST', 'PUT', 'DELETE'),
    port: fc.integer({ min: 1, max: 3 }),
    cluster: fc.nat(CLUSTERS.length - 1),
    fields,
  }),
  { minLength: 4, maxLength: 12 },
);

/** What is known of a host on every version. */
interface Host {
  readonly port: number;
  readonly clusterName: string;
  readonly ephemeral: boolean;
  readonly healthy: boolean;
  readonly enabled: boolean;
  readonly weight: number;
  readonly metadata: Readonly<Record<string, string>>;
}

const known = ({ port, clusterName, ephemeral, healthy, enabled, weight, metadata }: Host): Host => ({
  port,
  clusterName,
  ephemeral,
  healthy,
  enabled,
  weight,
  metadata,
});

async function hostsOf(registry: HttpRegistry, path: string, query: Fields): Promise<readonly Host[]> {
  const { json } = await registry.ask('GET', path, { serviceName: 's', ...query });
  const hosts: readonly Host[] = json.hosts ?? json.data?.hosts ?? (Array.isArray(json.data) ? json.data : []);
  return hosts.map(known);
}

/** The admin list has disabled instances too. */
async function adminHosts(registry: HttpRegistry): Promise<readonly Host[]> {
  const lists = await Promise.all(
    [...CLUSTERS].sort().map((clusterName) => hostsOf(registry, '/v3/admin/ns/instance/list', { clusterName })),
  );
  return lists.flat();
}

it('all versions list alike', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (made) => {
      const registry = await HttpRegistry.start();
      try {
        for (const { path, method, port, cluster, fields: sent } of made) {
          const clusterName = CLUSTERS[cluster] as string;
          await registry.ask(method, PATHS[path] as string, {
            serviceName: 's',
            ip: '10.0.0.1',
            port,
            clusterName,
            ...sent,
          });
        }
        const all = await adminHosts(registry);
        const enabled = all.filter((host) => host.enabled);
        const clusters = [...CLUSTERS].sort().join(',');
        expect(await hostsOf(registry, '/v1/ns/instance/list', {})).toEqual(enabled);
        expect(await hostsOf(registry, '/v2/ns/instance/list', {})).toEqual(enabled);
        expect(await hostsOf(registry, '/v3/client/ns/instance/list', { clusterName: clusters })).toEqual(enabled);
        for (const { port, clusterName, weight, healthy } of all) {
          const target = { serviceName: 's', ip: '10.0.0.1', port, clusterName };
          const one = (await registry.ask('GET', '/v2/ns/instance', target)).json.data;
          const twins = all.filter((host) => host.port === port && host.clusterName === clusterName);
          // An address may be there in both kinds; the persistent one is read then.
          const read = twins.find((host) => !host.ephemeral) ?? { weight, healthy };
          expect(one).toMatchObject({ weight: read.weight, healthy: read.healthy });
        }
      } finally {
        await registry.close();
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);
