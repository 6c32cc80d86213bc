// Whether a service may take an instance of a kind. Source: decisions.md: refused only while the service holds
// instances of the other kind alone, and only for gRPC, v2 and v3; the texts are those of Nacos 2.5.1.

import { type InstanceKind, RegistryError } from '@rollcall/protocol';
import type { KindRule } from './registry-input.js';
import type { Service } from './service.js';

/** Throws `kind-conflict` when the rule forbids it. */
export function requireKind(service: Service | undefined, kind: InstanceKind, rule: KindRule): void {
  if (rule === 'mixed' || service === undefined) return;
  const other: InstanceKind = kind === 'ephemeral' ? 'persistent' : 'ephemeral';
  if (service.recordsOf(kind).size > 0 || service.recordsOf(other).size === 0) return;
  throw new RegistryError(
    'kind-conflict',
    `Current service ${service.key.grouped} is ${other} service, can't register ${kind} instance.`,
  );
}
