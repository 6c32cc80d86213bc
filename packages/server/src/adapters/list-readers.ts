// Clients that ask for lists without a subscription: the first answer that each address gets of a new list is reported, so that
// the ledger knows when a client that only polls knew. Costs one look-up per answer, and nothing is kept beyond the list.

import type { Actor } from '../core/actor.js';
import type { ServiceView } from '../core/service-view.js';
import type { RegistryAccess } from './registry-access.js';

/** Addresses noted per list; more are not. */
const READERS_MAX = 1000;

/** Notes that a list was answered. @param clusters - asked for, comma separated @param address - of the client */
export function noteReader(
  registry: RegistryAccess,
  view: ServiceView,
  { clusters, address, via }: { readonly clusters: string; readonly address: string; readonly via: Actor['via'] },
): void {
  const readers = view.prepared('readers', () => new Set<string>());
  if (readers.has(address) || readers.size >= READERS_MAX) return;
  readers.add(address);
  registry.step({ type: 'list-polled', service: view.key, clusters, actor: { via, address } });
}
