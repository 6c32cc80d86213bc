// Joining and splitting `group@@name`, with the format errors of v1.
// Source: Nacos 1.4.8 DistroFilter and NamingUtils.getGroupedName / checkServiceNameFormat.

import { isBlank } from './java-text.js';
import { RegistryError } from './registry-error.js';
import { DEFAULT_GROUP, GROUP_SEPARATOR } from './service-key.js';

/** A grouped name taken apart. Further separators stay in the name. */
export interface GroupedName {
  readonly group: string;
  readonly name: string;
}

/**
 * Finds group and name as v1 does: a name that holds `@@` already brings its group, otherwise the group parameter counts.
 *
 * @param serviceName - trimmed name, bare or grouped
 * @param groupName - group, undefined or blank for `DEFAULT_GROUP`; not trimmed
 * @throws RegistryError `invalid-parameter` when the name, or the group in front of it, is empty
 */
export function groupedNameOf(serviceName: string, groupName: string | undefined): GroupedName {
  if (serviceName === '' || serviceName.includes(GROUP_SEPARATOR)) return splitGroupedName(serviceName);
  const group = groupName === undefined || isBlank(groupName) ? DEFAULT_GROUP : groupName;
  return { group, name: serviceName };
}

/**
 * Takes a grouped name apart at its first separator.
 *
 * @throws RegistryError `invalid-parameter` when the name or the group is empty
 */
export function splitGroupedName(grouped: string): GroupedName {
  const at = grouped.indexOf(GROUP_SEPARATOR);
  if (at < 0 || at + GROUP_SEPARATOR.length === grouped.length) {
    throw illegal("Param 'serviceName' is illegal, it should be format as 'groupName@@serviceName'", grouped);
  }
  if (at === 0) throw illegal("Param 'serviceName' is illegal, groupName can't be empty", grouped);
  return { group: grouped.slice(0, at), name: grouped.slice(at + GROUP_SEPARATOR.length) };
}

/** The name as 1.x answers show it: what stands before a further separator. @param name - service name without group */
export function shownServiceName(name: string): string {
  const at = name.indexOf(GROUP_SEPARATOR);
  return at < 0 ? name : name.slice(0, at);
}

function illegal(message: string, found: string): RegistryError {
  return new RegistryError('invalid-parameter', message, {
    details: { parameter: 'serviceName', found: found.slice(0, 200) },
  });
}
