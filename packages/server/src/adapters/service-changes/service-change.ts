// Creating, updating and removing services over HTTP, whatever the version, and the refusals around them.
// Source: Nacos 1.4.8 ServiceController, 2.5.1 ServiceOperatorV2Impl (texts); DELETE refuses a service that has instances.

import { type InstanceKind, RegistryError, type ServiceForm, type ServiceKey } from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import type { RegistryCore } from '../../core/registry-core.js';
import type { ServiceView } from '../../core/service-view.js';
import type { RegistryAccess } from '../registry-access.js';

/** Creates a service. @param form - `kind` when its maker announces one @throws (rejects with) RegistryError `service-exists`, `limit-exceeded`, `storage-failed` */
export async function createService(
  registry: RegistryAccess,
  actor: Actor,
  { service, ...settings }: ServiceForm & { readonly kind?: InstanceKind },
): Promise<void> {
  await registry.commit(actor, (core) => {
    if (core.service(service.id) !== undefined) {
      const message = `specified service ${service.grouped} already exists!`;
      throw new RegistryError('service-exists', message, { details: { service: service.id } });
    }
    core.requireServiceRoom(service);
    return [{ type: 'service', service, value: { ...settings, clusters: new Map() } }];
  });
}

/** Sets threshold, metadata and selector; kind and clusters stay. @throws (rejects with) RegistryError `service-not-found`, `storage-failed` */
export async function updateService(registry: RegistryAccess, actor: Actor, form: ServiceForm): Promise<void> {
  const { service, protectThreshold, metadata, selector } = form;
  await registry.commit(actor, (core) => {
    const known = core.service(service.id);
    if (known === undefined) throw unknownService(service, `service ${service.grouped} not found!`);
    return [
      { type: 'service', service: known.key, value: { ...known.definition, protectThreshold, metadata, selector } },
    ];
  });
}

/** Removes a service. @throws (rejects with) RegistryError `service-not-found`, `service-not-empty`, `storage-failed` */
export async function removeService(registry: RegistryAccess, actor: Actor, service: ServiceKey): Promise<void> {
  await registry.commit(actor, (core) => {
    const known = core.service(service.id);
    if (known === undefined) throw unknownService(service, `service ${service.grouped} not found!`);
    if (known.instanceCount > 0) {
      const message = `Service ${service.grouped} is not empty, can't be delete. Please unregister instance first`;
      throw new RegistryError('service-not-empty', message, { details: { instances: known.instanceCount } });
    }
    return [{ type: 'service', service: known.key, value: undefined }];
  });
}

/** What readers see of a service that must be there. @throws RegistryError `service-not-found` */
export function knownView(core: RegistryCore, service: ServiceKey): ServiceView {
  const view = core.view(service.id);
  if (view !== undefined) return view;
  throw unknownService(service, `service not found, namespace: ${service.namespace}, serviceName: ${service.grouped}`);
}

/** The refusal for a service that is not there. */
export function unknownService(service: ServiceKey, message: string): RegistryError {
  return new RegistryError('service-not-found', message, { details: { service: service.id } });
}
