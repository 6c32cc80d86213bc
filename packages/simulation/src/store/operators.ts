// Operators at work: each deed is what an adapter of the product does for such a request.

import {
  changeNamespace,
  claimInstance,
  commitEdits,
  createService,
  makeNamespace,
  planPatch,
  planReset,
  type RegistryAccess,
  releaseInstance,
  removeNamespace,
  removeService,
  updateService,
} from '@rollcall/server/internal';
import { addressOfInstance, namespaceOf, serviceOf } from './store-deed.js';
import { actorOf, type StoreOperation } from './store-operation.js';

/** Name of the metadata that says who wrote a record. */
export const WRITER = 'writer';
/** Weights of edits say who made them: this much more than the number of the operation. */
export const EDIT_WEIGHT = 1000;

/** Does what an operator asks for. @returns `refused` for the one refusal that is no error @throws (rejects with) RegistryError */
export async function operate(access: RegistryAccess, operation: StoreOperation): Promise<'done' | 'refused'> {
  const { deed } = operation;
  const registry = countingPlans(access, operation);
  switch (deed.record) {
    case 'namespace':
      return onNamespace(registry, operation);
    case 'service':
      await onService(registry, operation);
      return 'done';
    case 'instance':
      await onInstance(registry, operation);
      return 'done';
    case 'edit':
      await onEdit(registry, operation);
      return 'done';
  }
}

/** Notes what a plan comes to. */
function countingPlans(access: RegistryAccess, operation: StoreOperation): RegistryAccess {
  const commit: RegistryAccess['commit'] = (actor, plan) =>
    access.commit(actor, (core) => {
      operation.planned = 0;
      const changes = plan(core);
      operation.planned = changes.length;
      return changes;
    });
  return {
    core: access.core,
    now: () => access.now(),
    step: (input) => access.step(input),
    commit,
    afterJournal: (callback) => access.afterJournal(callback),
    awaitSubscribers: (service, waitMs) => access.awaitSubscribers(service, waitMs),
  };
}

async function onNamespace(registry: RegistryAccess, operation: StoreOperation): Promise<'done' | 'refused'> {
  const { deed, number } = operation;
  const id = namespaceOf(deed.which);
  const namespace = { id, name: String(number), description: '' };
  const actor = actorOf(operation);
  if (deed.does === 'create') return (await makeNamespace(registry, actor, namespace)) === 'made' ? 'done' : 'refused';
  if (deed.does === 'change') await changeNamespace(registry, actor, namespace);
  else await removeNamespace(registry, actor, id);
  return 'done';
}

function onService(registry: RegistryAccess, operation: StoreOperation): Promise<void> {
  const { deed, number } = operation;
  const service = serviceOf(deed.which);
  const actor = actorOf(operation);
  if (deed.does === 'remove') return removeService(registry, actor, service);
  const metadata = new Map([[WRITER, String(number)]]);
  const form = { service, protectThreshold: 0, metadata, selector: { type: 'none' } } as const;
  return (deed.does === 'create' ? createService : updateService)(registry, actor, form);
}

async function onInstance(registry: RegistryAccess, operation: StoreOperation): Promise<void> {
  const { deed, number } = operation;
  const target = {
    service: serviceOf(deed.which),
    address: addressOfInstance(deed.which),
    kind: 'persistent',
  } as const;
  const actor = actorOf(operation);
  if (deed.does === 'remove') await releaseInstance(registry, target, actor);
  else {
    const metadata = new Map([[WRITER, String(number)]]);
    const content = { weight: 1, enabled: true, healthy: true, metadata, app: undefined };
    await claimInstance(registry, { ...target, content }, { actor, kindRule: 'single' });
  }
}

function onEdit(registry: RegistryAccess, operation: StoreOperation): Promise<void> {
  const { deed, number } = operation;
  return commitEdits(registry, actorOf(operation), (core) => {
    const record = core.instance(serviceOf(deed.which).id, 'persistent', addressOfInstance(deed.which).key);
    if (record === undefined) return [];
    const plan = deed.does === 'remove' ? planReset(record) : planPatch(record, { weight: EDIT_WEIGHT + number });
    return [{ record, plan }];
  });
}
