// One durable record: key and JSON. The JSON repeats the identity, so a store may shorten a key as long as it stays unique.

import { type ServiceKey, serviceKey } from '@rollcall/protocol';
import { type Address, addressOf } from '../../core/instance-address.js';
import type { Version } from '../../core/replication/replicated-record.js';
import type { StoreChange } from '../../core/store-change.js';
import { DEFAULT_SWITCHES, type Switches } from '../../core/switches.js';
import { storeJson, storeValue } from './store-json.js';

/** A record to write, or (without JSON) to remove. */
export interface StoreRecord {
  readonly key: string;
  readonly json: string | undefined;
}

/**
 * First parts of all keys, in the order in which records are loaded: what others refer to comes first.
 * The part before the slash names the type of the change.
 */
export const KEY_PREFIXES = ['ns/', 'svc/', 'inst/', 'edit/', 'switch/'] as const;

type KeyPrefix = (typeof KEY_PREFIXES)[number];

type ServiceParts = readonly [namespace: string, group: string, name: string];
type AddressParts = readonly [ip: string, port: number, cluster: string];

/** What is written for a change. */
export function recordOf(change: StoreChange): StoreRecord {
  const { type } = change;
  switch (type) {
    case 'namespace':
      return record('ns/', [change.id], change.value, { type, id: change.id });
    case 'service': {
      const service = serviceParts(change.service);
      return record('svc/', service, change.value, { type, service });
    }
    case 'persistent-instance': {
      const service = serviceParts(change.service);
      const address = addressParts(change.address);
      return record('inst/', [...service, ...address], change.value, { type, service, address });
    }
    case 'edit': {
      const { kind, version } = change;
      const service = serviceParts(change.service);
      const address = addressParts(change.address);
      return record('edit/', [...service, kind, ...address], change.value, { type, service, kind, address, version });
    }
    case 'switches':
      return record('switch/', [], change.value, { type });
  }
}

/**
 * The change that a record was written for.
 *
 * @returns undefined for a type that this version does not know
 * @throws SyntaxError when the text is no JSON
 */
export function changeOf(json: string): StoreChange | undefined {
  const stored = storeValue(json) as { type: StoreChange['type']; value: never; kind: never; id: never } & {
    version: Version | undefined;
    service: ServiceParts;
    address: AddressParts;
  };
  const { type, value } = stored;
  switch (type) {
    case 'namespace':
      return { type, id: stored.id, value };
    case 'service':
      return { type, service: serviceKey(...stored.service), value };
    case 'persistent-instance':
      return { type, service: serviceKey(...stored.service), address: addressOf(...stored.address), value };
    case 'edit': {
      const { kind, version } = stored;
      const edit = { type, service: serviceKey(...stored.service), kind, address: addressOf(...stored.address), value };
      return version === undefined ? edit : { ...edit, version };
    }
    case 'switches':
      // Written by an earlier version they lack what came since.
      return { type, value: { ...DEFAULT_SWITCHES, ...(value as Switches) } };
    default:
      return undefined;
  }
}

function record(prefix: KeyPrefix, parts: readonly unknown[], value: unknown, identity: object): StoreRecord {
  return { key: keyOf(prefix, parts), json: value === undefined ? undefined : storeJson({ ...identity, value }) };
}

/** JSON keeps the parts apart whatever characters they contain, lone surrogates included. */
function keyOf(prefix: KeyPrefix, parts: readonly unknown[]): string {
  return prefix + JSON.stringify(parts);
}

function serviceParts({ namespace, group, name }: ServiceKey): ServiceParts {
  return [namespace, group, name];
}

function addressParts({ ip, port, cluster }: Address): AddressParts {
  return [ip, port, cluster];
}
