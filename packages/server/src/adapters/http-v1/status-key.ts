// The key of a service in the traffic between Nacos servers: `namespace##group@@name`, or without the namespace.
// Source: Nacos 1.4.8 InstanceController.listWithHealthStatus, UtilsAndCommons.NAMESPACE_SERVICE_CONNECTOR.

import { DEFAULT_NAMESPACE, type ServiceKey, serviceKey, splitGroupedName } from '@rollcall/protocol';

const CONNECTOR = '##';

/** The service that a key names. @throws RegistryError `invalid-parameter` when group or name is missing */
export function serviceKeyOfStatusKey(key: string): ServiceKey {
  const at = key.indexOf(CONNECTOR);
  const namespace = at < 0 ? DEFAULT_NAMESPACE : key.slice(0, at);
  const { group, name } = splitGroupedName(at < 0 ? key : key.slice(at + CONNECTOR.length));
  return serviceKey(namespace, group, name);
}
