// Looking up the one instance that a read or a partial update names, and saying how it was not found.

import { type InstanceTarget, RegistryError } from '@rollcall/protocol';
import { addressOf } from '../../core/instance-address.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import type { RegistryCore } from '../../core/registry-core.js';

/**
 * The instance at an address; a persistent one comes before an ephemeral one, as in 1.4.8.
 *
 * @throws RegistryError `not-found`; a service without instances and one that has others are told apart
 */
export function foundInstance(core: RegistryCore, { service, address }: InstanceTarget): InstanceRecord {
  const { key } = addressOf(address.ip, address.port, address.cluster);
  const record = core.instance(service.id, 'persistent', key) ?? core.instance(service.id, 'ephemeral', key);
  if (record !== undefined) return record;
  const hasInstances = (core.service(service.id)?.instanceCount ?? 0) > 0;
  const message = hasInstances
    ? 'no matched ip found!'
    : `no ips found for cluster ${address.cluster} in service ${service.grouped}`;
  throw new RegistryError('not-found', message, { details: { service: service.id } });
}
