// Makes an operator's edits durable and lets their removals enter the core.

import type { Actor } from '../../core/actor.js';
import { type EditPlan, storeChangesOf } from '../../core/edit-plan.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import type { RegistryCore } from '../../core/registry-core.js';
import type { RegistryAccess } from '../registry-access.js';

/** A plan with the instance that it is for. */
export interface PlannedEdit {
  readonly record: InstanceRecord;
  readonly plan: EditPlan;
}

/**
 * Commits what was planned. What the plans write under the overlays of ephemeral instances is not durable: it enters the
 * core afterwards, unless the instance was registered anew meanwhile, because then the newer registration counts.
 *
 * @param planEdits - reads the core and returns the edits, or throws a RegistryError to refuse
 */
export async function commitEdits(
  registry: RegistryAccess,
  actor: Actor,
  planEdits: (core: RegistryCore) => readonly PlannedEdit[],
): Promise<void> {
  let rebases: readonly (() => void)[] = [];
  await registry.commit(actor, (core) => {
    const edits = planEdits(core);
    rebases = edits.flatMap((edit) => rebaseOf(registry, actor, edit));
    return edits.flatMap(({ record, plan }) => storeChangesOf(record, plan));
  });
  for (const rebase of rebases) rebase();
}

function rebaseOf(registry: RegistryAccess, actor: Actor, { record, plan }: PlannedEdit): (() => void)[] {
  const { service, address, kind, registered, current } = record;
  if (kind === 'persistent' || plan.base === current.base) return [];
  return [
    () => {
      const now = registry.core.instance(service.id, kind, address.key);
      if (now === record && now.registered === registered) {
        registry.step({ type: 'rebase', service, address, content: plan.base, actor });
      }
    },
  ];
}
