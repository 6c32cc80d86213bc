// Tells the ledger what became of the connection of an instance whose beats do not come: an ended one speaks for an exit, an
// open one for a process that stands still. Only of connections that were kept from beat to beat: others end anyway.

import { HTTP_PUBLISHER } from '../../core/publisher.js';
import type { ClaimFacts, RegistryEvent } from '../../core/registry-event.js';
import type { RegistryAccess } from '../registry-access.js';
import type { RegistryEvents } from '../registry-events.js';

/** Beats over one connection from which on its end means something. */
const BEATS_MIN = 2;

/** Follows the registry from now on. */
export function reportBeatConnections(registry: RegistryAccess & RegistryEvents): void {
  registry.onEvent((event) => {
    const missed =
      event.type === 'beat-missed' || (event.type === 'instance-unhealthy' && event.cause === 'beat-timeout');
    if (missed) report(registry, event);
  });
}

function report(
  registry: RegistryAccess,
  { service, address }: Pick<ClaimFacts, 'address'> & Pick<RegistryEvent, 'service'>,
): void {
  const connection = registry.core
    .instance(service.id, 'ephemeral', address.key)
    ?.registrationOf(HTTP_PUBLISHER)?.connection;
  if (connection === undefined || connection.beats < BEATS_MIN || connection.state === 'closed') return;
  registry.step({ type: 'beat-connection', service, address, state: connection.state });
}
