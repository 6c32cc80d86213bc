// A ledger that follows a registry from now on.

import type { RegistryAccess } from '../adapters/registry-access.js';
import type { RegistryEvents, ServerEvents } from '../adapters/registry-events.js';
import { Ledger } from '../core/ledger/ledger.js';
import type { LedgerBounds } from '../core/ledger/ledger-bounds.js';

/** Makes the ledger. */
export function ledgerOf(registry: RegistryAccess & RegistryEvents & ServerEvents, bounds: LedgerBounds): Ledger {
  const ledger = new Ledger(bounds, registry.now());
  registry.onEvent((event) => ledger.take(event));
  registry.onServerEvent((event) => ledger.takeServer(event));
  return ledger;
}
