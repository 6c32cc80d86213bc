// Which service a v1 request means: namespace, group and name from its parameters.
// Source: Nacos 1.4.8 DistroFilter (grouping, `dom` as second name of `serviceName`), contract 2.2 and 2.3.

import { detached } from '../detached-text.js';
import { isBlank, javaTrim } from '../java-text.js';
import type { Parameters } from '../parameters.js';
import { DEFAULT_GROUP, DEFAULT_NAMESPACE, type ServiceKey, serviceKey } from '../service-key.js';
import { groupedNameOf } from '../service-name.js';

/** How a route asks for the service name: `required` (instance routes) or `bound` (service and catalog routes); they differ in the text of the refusal. */
export type NameReader = 'required' | 'bound';

/**
 * Reads the service that a request names. Its texts may point into the request: what keeps it takes {@link keptServiceKey}.
 *
 * @param reader - which refusal a missing name gets
 * @throws RegistryError `missing-parameter` without a name, `invalid-parameter` when name or group is empty
 */
export function readServiceKey(parameters: Parameters, reader: NameReader = 'required'): ServiceKey {
  const { group, name } = groupedNameOf(serviceNameOf(parameters, reader), parameters.get('groupName'));
  return serviceKey(readNamespace(parameters), group, name);
}

/** The namespace that a request names; `public` when absent or blank. */
export function readNamespace(parameters: Parameters): string {
  return parameters.optional('namespaceId', DEFAULT_NAMESPACE);
}

/** The same identity with texts that keep nothing else alive. */
export function keptServiceKey(key: ServiceKey): ServiceKey {
  const namespace = key.namespace === DEFAULT_NAMESPACE ? DEFAULT_NAMESPACE : detached(key.namespace);
  const group = key.group === DEFAULT_GROUP ? DEFAULT_GROUP : detached(key.group);
  return serviceKey(namespace, group, detached(key.name));
}

/** A blank `serviceName` gives way to `dom`; without one it is refused as it is. */
function serviceNameOf(parameters: Parameters, reader: NameReader): string {
  const name = parameters.get('serviceName');
  if (name !== undefined && !isBlank(name)) return javaTrim(name);
  if (parameters.present('dom') !== undefined) return parameters.required('dom');
  return reader === 'required' ? parameters.required('serviceName') : javaTrim(parameters.boundRequired('serviceName'));
}
