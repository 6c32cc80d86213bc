// Who subscribes the services that a listing asks for, on v1 and v3.

import type { ServiceKey, ShownSubscriber } from '@rollcall/protocol';
import type { RegistryCore } from '../../core/registry-core.js';

/** Subscribers of all services whose name and group contain the wanted ones. Equal lines are one: a client that asks for several sets of clusters is one subscriber to its operator. */
export function matchingSubscribers(core: RegistryCore, wanted: ServiceKey): readonly ShownSubscriber[] {
  const lines = new Map<string, ShownSubscriber>();
  for (const { key, subscribers } of core.subscribedServices()) {
    if (key.namespace !== wanted.namespace) continue;
    if (!key.name.includes(wanted.name) || !key.group.includes(wanted.group)) continue;
    for (const { ip, port, agent, app, clusters } of subscribers.values()) {
      lines.set(JSON.stringify([key.id, ip, port, agent, app]), { service: key, ip, port, agent, app, clusters });
    }
  }
  return [...lines.values()];
}
