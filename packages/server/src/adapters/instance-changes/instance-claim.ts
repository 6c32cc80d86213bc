// Registering and deregistering over HTTP, whatever the version: an ephemeral instance enters the core and the journal, a
// persistent one the store first.

import type { DeregisterForm, RegisterForm } from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import { addressOf } from '../../core/instance-address.js';
import type { KindRule } from '../../core/registry-input.js';
import type { RegistryAccess } from '../registry-access.js';
import type { Acknowledging } from './acknowledgement.js';
import { kindOrDefault } from './instance-kind.js';

/** Who asks, and by which rule on kinds. */
export interface ClaimOrigin {
  readonly actor: Actor;
  readonly kindRule: KindRule;
}

/** Registers an instance. @throws RegistryError `kind-conflict`, `limit-exceeded`; a rejection for persistent ones, `storage-failed` among them */
export function claimInstance(registry: RegistryAccess, form: RegisterForm, origin: ClaimOrigin): Acknowledging {
  const { service, content } = form;
  const address = addressOf(form.address.ip, form.address.port, form.address.cluster);
  if (kindOrDefault(form.kind, registry.core) === 'persistent') return claimPersistent();
  registry.step({ type: 'register', service, address, content, ...origin });
  return 'journalled';

  async function claimPersistent(): Promise<'written'> {
    await registry.commit(origin.actor, (core) => {
      if (origin.kindRule === 'single') core.requireKind(service.id, 'persistent');
      core.requireRoom(service, 'persistent', address);
      return [{ type: 'persistent-instance', service, address, value: { registered: content, base: content } }];
    });
    return 'written';
  }
}

/** Ends a registration; one that is not there is no error. */
export function releaseInstance(registry: RegistryAccess, form: DeregisterForm, actor: Actor): Acknowledging {
  const { service } = form;
  const address = addressOf(form.address.ip, form.address.port, form.address.cluster);
  if (kindOrDefault(form.kind, registry.core) === 'persistent') return releasePersistent();
  registry.step({ type: 'deregister', service, address, actor });
  return 'journalled';

  async function releasePersistent(): Promise<'written'> {
    await registry.commit(actor, (core) => {
      const record = core.instance(service.id, 'persistent', address.key);
      if (record === undefined) return [];
      return [{ type: 'persistent-instance', service: record.service, address: record.address, value: undefined }];
    });
    return 'written';
  }
}
