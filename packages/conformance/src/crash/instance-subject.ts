// Subjects for instances: registered, registered again with other content, deregistered; and instances that stay while
// an operator edits them, with registrations in between that must not undo the edits.
import { LONG_LEASE_METADATA } from '../lease-watch.js';
import type { ApiAnswer, ListedHost } from '../naming-api.js';
import type { SubjectKind, SubjectState, SubjectWrite } from './crash-subject.js';
import type { SeededRandom } from './seeded-random.js';
import type { ServerState } from './server-state.js';

/** Which instance. */
export interface InstanceAddress {
  readonly serviceName: string;
  readonly ip: string;
  readonly lifetime: 'ephemeral' | 'persistent';
}

const PORT = '8080';
const WEIGHT_MAX = 10_000;

/** An instance that comes and goes. State: its weight, which is random and so tells registrations apart. */
export function membershipSubject(address: InstanceAddress): SubjectKind {
  return {
    label: `${address.lifetime} instance "${address.ip}" of "${address.serviceName}"`,
    nextWrite: (state, random) =>
      state !== undefined && random.happens(0.45)
        ? deregistration(address)
        : registration(address, randomWeight(random)),
    read: async (server) => {
      const host = await findHost(server, address);
      return host === undefined ? undefined : weightState(host.weight, healthOf(host));
    },
  };
}

/** An instance that stays. State: weight and one metadata key as edited; the registrations say weight 1, no key. */
export function editedSubject(address: InstanceAddress): SubjectKind {
  return {
    label: `edited ${address.lifetime} instance "${address.ip}" of "${address.serviceName}"`,
    nextWrite: (state, random) => {
      if (state === undefined) return { ...registration(address, 1), leaves: editedState(1, undefined) };
      const { weight, mark } = JSON.parse(state) as { readonly weight: number; readonly mark?: string };
      const choice = random.fraction();
      if (choice < 0.4) return weightEdit(address, randomWeight(random), mark);
      if (choice < 0.8) return markEdit(address, weight, String(random.wholeNumber(1, 1_000_000)));
      return { ...registration(address, 1), leaves: state };
    },
    read: async (server) => {
      const host = await findHost(server, address);
      return host === undefined ? undefined : editedState(host.weight, host.metadata.mark);
    },
  };
}

function registration(address: InstanceAddress, weight: number): SubjectWrite {
  const query = {
    ...queryOf(address),
    weight: String(weight),
    // Nobody beats here, and a run takes minutes.
    metadata: JSON.stringify(LONG_LEASE_METADATA),
  };
  const call = { method: 'POST', path: '/v1/ns/instance', query } as const;
  return { call, leaves: weightState(weight, 'healthy'), acknowledges: isOk };
}

function deregistration(address: InstanceAddress): SubjectWrite {
  const call = { method: 'DELETE', path: '/v1/ns/instance', query: queryOf(address) } as const;
  return { call, leaves: undefined, acknowledges: isOk };
}

function weightEdit(address: InstanceAddress, weight: number, mark: string | undefined): SubjectWrite {
  const query = { ...queryOf(address), weight: String(weight) };
  const call = { method: 'PATCH', path: '/v1/ns/instance', query } as const;
  return { call, leaves: editedState(weight, mark), acknowledges: isOk };
}

function markEdit({ serviceName, ip, lifetime }: InstanceAddress, weight: number, mark: string): SubjectWrite {
  const instances = JSON.stringify([
    { ip, port: Number(PORT), ephemeral: lifetime === 'ephemeral', clusterName: 'DEFAULT' },
  ]);
  const query = { serviceName, instances, metadata: JSON.stringify({ mark }) };
  return {
    call: { method: 'PUT', path: '/v1/ns/instance/metadata/batch', query },
    leaves: editedState(weight, mark),
    acknowledges: ({ status, body }) => status === 200 && body.includes(ip),
  };
}

const queryOf = ({ serviceName, ip, lifetime }: InstanceAddress) => ({
  serviceName,
  ip,
  port: PORT,
  ephemeral: String(lifetime === 'ephemeral'),
});

async function findHost(
  server: ServerState,
  { serviceName, ip, lifetime }: InstanceAddress,
): Promise<ListedHost | undefined> {
  const hosts = await server.hosts(serviceName);
  return hosts.find((host) => host.ip === ip && host.ephemeral === (lifetime === 'ephemeral'));
}

const isOk = ({ status, body }: ApiAnswer): boolean => status === 200 && body === 'ok';

const randomWeight = (random: SeededRandom): number => random.wholeNumber(1, WEIGHT_MAX);

/** Health is part of the state of an ephemeral instance: a restart gives its lease the full time again. */
function healthOf({ ephemeral, healthy }: ListedHost): string {
  return healthy || !ephemeral ? 'healthy' : 'unhealthy';
}

const weightState = (weight: number, health: string): SubjectState => `weight ${weight}, ${health}`;

const editedState = (weight: number, mark: string | undefined): SubjectState => JSON.stringify({ weight, mark });
