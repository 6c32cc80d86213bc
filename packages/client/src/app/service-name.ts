// Service names as callers write them.

import { DEFAULT_LIMITS, groupedNameOf, paramCheckNameRules, type ServiceKey, serviceKey } from '@rollcall/protocol';
import { clientErrorOf } from '../core/client-error.js';

/** A service: its name, `group@@name`, or both parts. */
export type ServiceName = string | { readonly name: string; readonly group?: string | undefined };

const RULES = paramCheckNameRules(DEFAULT_LIMITS);

/**
 * The identity of a service.
 *
 * @throws ClientError `invalid-parameter` for an empty name or one with characters that no server takes
 */
export function serviceKeyOf(service: ServiceName, namespace: string, defaultGroup: string): ServiceKey {
  const { name, group = defaultGroup } = typeof service === 'string' ? { name: service } : service;
  try {
    const grouped = groupedNameOf(name.trim(), group);
    const key = serviceKey(namespace, grouped.group, grouped.name);
    RULES.checkService(key);
    return key;
  } catch (error) {
    throw clientErrorOf(error);
  }
}
