// The bare names of services by namespace, as listings without groups show them.

import { shownServiceName } from '@rollcall/protocol';
import type { RegistryCore } from '../../core/registry-core.js';
import type { Service } from '../../core/service.js';

/** Bare names by namespace, equal ones of several groups once. @param isWanted - which services count; all without it */
export function serviceNames(
  core: RegistryCore,
  isWanted: (service: Service) => boolean = () => true,
): Map<string, Set<string>> {
  const byNamespace = new Map<string, Set<string>>();
  for (const service of core.services()) {
    if (!isWanted(service)) continue;
    const { namespace, name } = service.key;
    const known = byNamespace.get(namespace);
    if (known === undefined) byNamespace.set(namespace, new Set([shownServiceName(name)]));
    else known.add(shownServiceName(name));
  }
  return byNamespace;
}
