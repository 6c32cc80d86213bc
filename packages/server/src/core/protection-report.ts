// Notices when health protection begins or ends in a service that changed, for the log and the ledger. Lists decide it for
// themselves, by the clusters that they are asked for; this is about the list of all clusters.

import { isProtecting, type ListDialect } from './host-selection.js';
import type { RegistryState } from './registry-state.js';
import type { Service } from './service.js';

const DIALECTS: readonly ListDialect[] = ['v1', 'v2'];
const NONE: readonly ListDialect[] = [];

/** Reports protection of all services that changed in this step. Costs nothing for services without a threshold. */
export function reportProtection(state: RegistryState): void {
  for (const service of state.changed) {
    if (service.definition.protectThreshold > 0 || service.protecting.length > 0) reportService(state, service);
  }
}

function reportService(state: RegistryState, service: Service): void {
  const { now, actor, restoring } = state;
  const threshold = service.definition.protectThreshold;
  const before = service.protecting;
  service.protecting = NONE;
  for (const dialect of DIALECTS) {
    // v1 counts disabled instances, v2 does not.
    const counted = dialect === 'v1' ? service.records : service.records.filter(({ inForce }) => inForce.enabled);
    const healthy = counted.filter((record) => record.healthy).length;
    const protecting = isProtecting(healthy, counted.length, threshold);
    if (protecting) service.protecting = [...service.protecting, dialect];
    if (restoring || protecting === before.includes(dialect)) continue;
    const type = protecting ? 'protection-on' : 'protection-off';
    const figures = { dialect, healthy, all: counted.length, threshold };
    state.emit({ type: 'event', event: { type, at: now, actor, service: service.key, ...figures } });
  }
}
