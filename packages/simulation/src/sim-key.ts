// The instances of a history: each address of each service is one key of the replicated data.

import { type ServiceKey, serviceKey } from '@rollcall/protocol';
import { type Address, addressOf } from '@rollcall/server/internal';

/** Keys per service: enough that a list has others in it, few enough that many services are mapped. */
const KEYS_PER_SERVICE = 8;

/** One instance that a client may register. */
export interface SimKey {
  /** 0, 1, 2 ...; also its name in stories: `k3`. */
  readonly index: number;
  readonly service: ServiceKey;
  readonly address: Address;
}

/** The keys of a history. */
export function makeKeys(count: number): SimKey[] {
  return Array.from({ length: count }, (_, index) => ({
    index,
    service: serviceKey('public', 'DEFAULT_GROUP', `service-${Math.floor(index / KEYS_PER_SERVICE)}`),
    address: addressOf(`10.1.0.${index + 1}`, 8080, 'DEFAULT'),
  }));
}

/** Their services, each once. */
export function servicesOf(keys: readonly SimKey[]): ServiceKey[] {
  return [...new Map(keys.map(({ service }) => [service.id, service])).values()];
}
