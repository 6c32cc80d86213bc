// Making, changing, removing and listing namespaces: the same on every version of HTTP, which differ in what they read and answer.
// Source: ops contract 2; that a namespace with services stays is ours (docs/compatibility.md).

import type { NamespaceRecord } from '@rollcall/protocol';
import { DEFAULT_NAMESPACE, type NamespaceCounts, PUBLIC_NAMESPACE, RegistryError } from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import type { RegistryCore } from '../../core/registry-core.js';
import type { RegistryAccess } from '../registry-access.js';

/** Makes a namespace. @returns `taken` when there is one of that id, and nothing was changed @throws RegistryError `limit-exceeded`, `storage-failed` */
export async function makeNamespace(
  registry: RegistryAccess,
  actor: Actor,
  namespace: NamespaceRecord,
): Promise<'made' | 'taken'> {
  const { id } = namespace;
  let isTaken = false;
  await registry.commit(actor, (core) => {
    isTaken = core.namespaces.has(id);
    if (isTaken) return [];
    requireRoom(core);
    return [{ type: 'namespace', id, value: namespace }];
  });
  return isTaken ? 'taken' : 'made';
}

/** Changes name and description. An unknown id is no error, as in Nacos, which updates no row then. */
export async function changeNamespace(
  registry: RegistryAccess,
  actor: Actor,
  namespace: NamespaceRecord,
): Promise<void> {
  const { id } = namespace;
  await registry.commit(actor, (core) =>
    core.namespaces.has(id) ? [{ type: 'namespace', id, value: namespace }] : [],
  );
}

/** Removes a namespace; an unknown id is no error. @throws RegistryError `namespace-not-empty` while it has services */
export async function removeNamespace(registry: RegistryAccess, actor: Actor, id: string): Promise<void> {
  await registry.commit(actor, (core) => {
    if (!core.namespaces.has(id)) return [];
    const { serviceCount } = countsOf(countsByNamespace(core), id);
    if (serviceCount > 0) {
      const message = `Namespace "${id}" cannot be deleted: found ${serviceCount} services in it, allowed is an empty namespace`;
      throw new RegistryError('namespace-not-empty', message, { details: { services: serviceCount } });
    }
    return [{ type: 'namespace', id, value: undefined }];
  });
}

/** All namespaces with their counts: the built-in one, then the others by id. */
export function listedNamespaces(core: RegistryCore): readonly (NamespaceRecord & NamespaceCounts)[] {
  const counts = countsByNamespace(core);
  const made = [...core.namespaces.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return [
    { ...PUBLIC_NAMESPACE, ...countsOf(counts, DEFAULT_NAMESPACE) },
    ...made.map((namespace) => ({ ...namespace, ...countsOf(counts, namespace.id) })),
  ];
}

/** One namespace. @param id - empty or `public` for the built-in one @throws RegistryError `namespace-not-found` */
export function foundNamespace(core: RegistryCore, id: string): NamespaceRecord {
  const namespace = id === '' || id === DEFAULT_NAMESPACE ? PUBLIC_NAMESPACE : core.namespaces.get(id);
  if (namespace !== undefined) return namespace;
  throw new RegistryError('namespace-not-found', `namespaceId [ ${id} ] not exist`);
}

function requireRoom(core: RegistryCore): void {
  const { namespaces } = core.limits;
  if (core.namespaces.size < namespaces) return;
  const message = `Namespace cannot be made: found ${core.namespaces.size} namespaces, allowed are ${namespaces}`;
  throw new RegistryError('limit-exceeded', message, { details: { allowed: namespaces } });
}

function countsByNamespace(core: RegistryCore): ReadonlyMap<string, NamespaceCounts> {
  const counts = new Map<string, NamespaceCounts>();
  for (const { key, instanceCount } of core.services()) {
    const before = countsOf(counts, key.namespace);
    counts.set(key.namespace, {
      serviceCount: before.serviceCount + 1,
      instanceCount: before.instanceCount + instanceCount,
    });
  }
  return counts;
}

function countsOf(counts: ReadonlyMap<string, NamespaceCounts>, id: string): NamespaceCounts {
  return counts.get(id) ?? { serviceCount: 0, instanceCount: 0 };
}
