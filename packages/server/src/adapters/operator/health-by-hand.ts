// Health that an operator gives an instance whose cluster is not probed. It holds until a probe, a beat or the next registration
// says otherwise.

import type { Actor } from '../../core/actor.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import type { RegistryAccess } from '../registry-access.js';

/** Settings of the checkers by type, as `/health/checkers` shows them. */
export const CHECKERS_JSON =
  '{"TCP":{},"HTTP":{"path":"","headers":"","expectedResponseCode":200},"MYSQL":{"user":null,"pwd":null,"cmd":null},"NONE":{}}';

/** Sets the health of an instance. @param record - undefined for one that is not there, which is no error */
export function setHealthByHand(
  registry: RegistryAccess,
  record: InstanceRecord | undefined,
  change: { readonly healthy: boolean; readonly actor: Actor },
): void {
  if (record === undefined) return;
  const { service, kind, address } = record;
  registry.step({ type: 'health', service, kind, address, cause: 'set-by-hand', ...change });
}
