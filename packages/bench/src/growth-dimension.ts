// What grows in the scenario `growth`: the requests that make one thing more, and those whose cost might depend on how many
// there are. Everything else stays as it is. Leases are long, so that nothing expires while others are made.
import type { Endpoint } from './endpoint.js';
import {
  encodeLightBeat,
  encodeList,
  encodeRegistration,
  type InstanceAddress,
  instanceAddress,
} from './instance-population.js';
import type { PushAudience } from './push-audience.js';

/** Requests to be measured at one size. */
export interface GrowthUse {
  /** What is done, and per what it is counted. */
  readonly label: string;
  readonly requests: readonly Buffer[];
  /** Things that the cost is divided by. */
  readonly units: number;
  /** Datagrams to wait for before the cost is read. */
  readonly datagrams?: number;
}

/** One thing that grows. */
export interface GrowthDimension {
  readonly name: 'instances' | 'services' | 'subscribers' | 'changes';
  /** What must be there before. */
  prepare(endpoint: Endpoint): readonly Buffer[];
  /** Takes the number from one size to the next. */
  grow(endpoint: Endpoint, from: number, to: number): GrowthUse;
  /** What is done at a size. @param requests - about how many */
  uses(endpoint: Endpoint, size: number, requests: number): readonly GrowthUse[];
}

/** Services among which instances and changes are spread. */
const SERVICES = 500;
const SUBSCRIBED_SERVICES = 50;
/** Instances that change. */
const CHANGING = 1000;
const LONG_LEASE = { 'preserved.heart.beat.timeout': '86400000', 'preserved.ip.delete.timeout': '86400000' };

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i);

function spread(prefix: string, index: number, services: number): InstanceAddress {
  const { ip } = instanceAddress({ prefix, instances: 0 }, index);
  return { ip, serviceName: `DEFAULT_GROUP@@${prefix}.${index % services}` };
}

/** Many instances in 500 services. */
export const growingInstances: GrowthDimension = {
  name: 'instances',
  prepare: () => [],
  grow: (endpoint, from, to) => ({
    label: 'registration, per instance',
    units: to - from,
    requests: range(from, to).map((n) =>
      encodeRegistration(endpoint, spread('bench.instances', n, SERVICES), LONG_LEASE),
    ),
  }),
  uses: (endpoint, size, requests) => [
    {
      label: 'light beat, per beat',
      units: requests,
      requests: spaced(size, requests).map((n) => encodeLightBeat(endpoint, spread('bench.instances', n, SERVICES))),
    },
  ],
};

/** Many services of one instance each. */
export const growingServices: GrowthDimension = {
  name: 'services',
  prepare: () => [],
  grow: (endpoint, from, to) => ({
    label: 'first registration, per service',
    units: to - from,
    requests: range(from, to).map((n) =>
      encodeRegistration(endpoint, spread('bench.services', n, Number.MAX_SAFE_INTEGER), LONG_LEASE),
    ),
  }),
  uses: (endpoint, size, requests) => [
    {
      label: 'list of one host, per query',
      units: requests,
      requests: spaced(size, requests).map((n) =>
        encodeList(endpoint, spread('bench.services', n, Number.MAX_SAFE_INTEGER).serviceName),
      ),
    },
  ],
};

/** Many subscriptions over UDP to 50 services. @param audience - a socket for every 50 subscriptions; all acknowledge */
export function growingSubscribers(audience: PushAudience): GrowthDimension {
  let change = 0;
  const subscriptions = (
    endpoint: Endpoint,
    from: number,
    to: number,
    services = SUBSCRIBED_SERVICES,
  ): readonly Buffer[] => {
    const members = [Math.floor(from / SUBSCRIBED_SERVICES), Math.ceil(to / SUBSCRIBED_SERVICES)] as const;
    return range(0, services).flatMap((service) =>
      audience.encodeSubscriptions(
        endpoint,
        spread('bench.subscribers', service, SUBSCRIBED_SERVICES).serviceName,
        members,
      ),
    );
  };
  const changes = (endpoint: Endpoint, services: number): readonly Buffer[] => {
    change += 1;
    const metadata = { ...LONG_LEASE, version: `v${change}` };
    return range(0, services).map((n) =>
      encodeRegistration(endpoint, spread('bench.subscribers', n, SUBSCRIBED_SERVICES), metadata),
    );
  };
  return {
    name: 'subscribers',
    prepare: (endpoint) => changes(endpoint, SUBSCRIBED_SERVICES),
    grow: (endpoint, from, to) => ({
      label: 'subscription, per subscriber',
      units: to - from,
      requests: subscriptions(endpoint, from, to),
    }),
    uses: (endpoint, size, requests) => {
      const each = size / SUBSCRIBED_SERVICES;
      const services = Math.max(1, Math.min(SUBSCRIBED_SERVICES, Math.round(requests / each)));
      const datagrams = services * each;
      return [
        // Subscribers that have not asked for 30 s are forgotten.
        {
          label: 'list query of a subscriber, per query',
          units: datagrams,
          requests: subscriptions(endpoint, 0, size, services),
        },
        { label: 'push, per datagram', units: datagrams, datagrams, requests: changes(endpoint, services) },
      ];
    },
  };
}

/** Many changes of 1,000 instances in 500 services. */
export const growingChanges: GrowthDimension = {
  name: 'changes',
  prepare: (endpoint) =>
    range(0, CHANGING).map((n) => encodeRegistration(endpoint, spread('bench.changes', n, SERVICES), LONG_LEASE)),
  grow: (endpoint, from, to) => ({
    label: 'change, per change',
    units: to - from,
    requests: range(from, to).map((n) =>
      encodeRegistration(endpoint, spread('bench.changes', n % CHANGING, SERVICES), {
        ...LONG_LEASE,
        version: `v${n}`,
      }),
    ),
  }),
  uses: () => [],
};

/** So many numbers below `size`, evenly spread and repeated when there are fewer. */
function spaced(size: number, count: number): readonly number[] {
  return range(0, count).map((n) => (count <= size ? Math.floor((n * size) / count) : n % size));
}
