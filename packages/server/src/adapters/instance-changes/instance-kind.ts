// The kind that a request means when it does not say.

import type { InstanceKind } from '@rollcall/protocol';
import type { RegistryCore } from '../../core/registry-core.js';

/** The kind that a request means: what it says, else what the switch says. */
export function kindOrDefault(kind: InstanceKind | undefined, core: RegistryCore): InstanceKind {
  return kind ?? (core.switches.defaultInstanceEphemeral ? 'ephemeral' : 'persistent');
}
