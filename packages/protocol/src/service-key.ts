// The identity of a service: namespace, group and name as one value that is never taken apart again.
// Source: Nacos 1.4.8 NamingUtils (grouped names), UtilsAndCommons (namespace separator).

/** Namespace that is used when a request names none. */
export const DEFAULT_NAMESPACE = 'public';
/** Group that is used when a request names none. */
export const DEFAULT_GROUP = 'DEFAULT_GROUP';
/** Cluster that is used when a request names none. */
export const DEFAULT_CLUSTER = 'DEFAULT';
/** What joins group and service name on the wire: `group@@name`. */
export const GROUP_SEPARATOR = '@@';

/** Identity of a service. Values are plain and immutable; two keys are the same service when their `id` is equal. */
export interface ServiceKey {
  /** Namespace id, `public` by default. */
  readonly namespace: string;
  /** Group, `DEFAULT_GROUP` by default. */
  readonly group: string;
  /** Service name without the group. */
  readonly name: string;
  /** `group@@name`, the spelling of 1.x answers. */
  readonly grouped: string;
  /** `namespace##group@@name`, the key of every map and store. */
  readonly id: string;
}

/**
 * Makes the identity of a service from its three parts, which must have passed the name checks already.
 *
 * @param namespace - namespace id
 * @param group - group without separator
 * @param name - service name without group
 */
export function serviceKey(namespace: string, group: string, name: string): ServiceKey {
  const grouped = group + GROUP_SEPARATOR + name;
  return { namespace, group, name, grouped, id: `${namespace}##${grouped}` };
}
