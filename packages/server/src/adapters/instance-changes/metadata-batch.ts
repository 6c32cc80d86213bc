// Editing the metadata of many instances of a service in one go, whatever the version of HTTP.

import type { BatchTargets, InstanceRef, MetadataBatchForm } from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import type { EditPlan } from '../../core/edit-plan.js';
import { addressOf } from '../../core/instance-address.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import type { RegistryCore } from '../../core/registry-core.js';
import type { RegistryAccess } from '../registry-access.js';
import { commitEdits } from './edit-commit.js';

/** Edits all instances that are meant. @returns those that were there @throws (rejects with) RegistryError `storage-failed` */
export async function editMetadata(
  registry: RegistryAccess,
  actor: Actor,
  form: MetadataBatchForm,
  planOf: (record: InstanceRecord, form: MetadataBatchForm) => EditPlan,
): Promise<readonly InstanceRef[]> {
  let records: readonly InstanceRecord[] = [];
  await commitEdits(registry, actor, (core) => {
    records = form.service === undefined ? [] : meantRecords(core, form.service.id, form.targets);
    return records.map((record) => ({ record, plan: planOf(record, form) }));
  });
  return records.map(({ address, kind }) => ({ ...address, kind }));
}

function meantRecords(core: RegistryCore, serviceId: string, targets: BatchTargets): readonly InstanceRecord[] {
  if (targets.type === 'kind') return [...(core.service(serviceId)?.recordsOf(targets.kind).values() ?? [])];
  // An instance that is named twice is edited once.
  const records = new Set<InstanceRecord>();
  for (const { ip, port, cluster, kind } of targets.instances) {
    const record = core.instance(serviceId, kind, addressOf(ip, port, cluster).key);
    if (record !== undefined) records.add(record);
  }
  return [...records];
}
