// The list of a service as servers push it, of any size, as JSON text.

/** What varies. */
export interface PushedListOptions {
  /** Without group. */
  readonly service: string;
  readonly instances: number;
  /** Stands in one instance, another one for each version, so that each list differs from the one before by two. */
  readonly version: number;
}

/** Group of all these lists. */
export const PUSHED_GROUP = 'DEFAULT_GROUP';

/** The text. */
export function pushedListText({ service, instances, version }: PushedListOptions): string {
  const grouped = `${PUSHED_GROUP}@@${service}`;
  const hosts = Array.from({ length: instances }, (_, i) => ({
    ip: `10.0.${i >> 8}.${i & 255}`,
    port: 8080,
    valid: true,
    healthy: true,
    marked: false,
    instanceId: `10.0.${i >> 8}.${i & 255}#8080#DEFAULT#${grouped}`,
    metadata: { version: i === version % instances ? `1.2.${version}` : '1.2.3', zone: 'a' },
    enabled: true,
    weight: 1,
    clusterName: 'DEFAULT',
    serviceName: grouped,
    ephemeral: true,
  }));
  return JSON.stringify({ name: grouped, cacheMillis: 10_000, lastRefTime: version, hosts });
}
