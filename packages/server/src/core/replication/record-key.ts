// What a record is about: one publisher's claim on one address of one service.

import { type ServiceKey, serviceKey } from '@rollcall/protocol';
import { type Address, addressOf } from '../instance-address.js';
import { HTTP_PUBLISHER } from '../publisher.js';
import type { WireKey } from './peer-message.js';
import { textHash } from './text-hash.js';

/** Publisher of operators' edits. Ids of connections never look like it. */
export const OPERATOR_PUBLISHER = 'operator';
/** Publisher of the health that a prober found. */
export const PROBE_PUBLISHER = 'probe';

/** Key of a record; two keys are the same when their `text` is equal. */
export interface RecordKey {
  readonly service: ServiceKey;
  readonly address: Address;
  /** `http`, `operator`, `probe`, or the id of a connection. */
  readonly publisher: string;
  readonly text: string;
}

/** Number of buckets of a set (R16). */
export const BUCKETS = 256;

/** Makes a key. */
export function recordKey(service: ServiceKey, address: Address, publisher: string): RecordKey {
  return { service, address, publisher, text: `${service.id}\n${address.key}\n${publisher}` };
}

/** The bucket of a key, 0 to 255. */
export function bucketOf(keyText: string): number {
  return textHash(keyText) % BUCKETS;
}

/** Whether a connection publishes it: such a record ends with its connection and is never adopted (R14). */
export function isConnectionKey({ publisher }: RecordKey): boolean {
  return publisher !== HTTP_PUBLISHER && publisher !== OPERATOR_PUBLISHER && publisher !== PROBE_PUBLISHER;
}

/** The key as it is sent. */
export function wireKeyOf({ service, address, publisher }: RecordKey): WireKey {
  const { namespace, group, name } = service;
  return [namespace, group, name, address.ip, address.port, address.cluster, publisher];
}

/** The key that was sent. */
export function recordKeyOf([namespace, group, name, ip, port, cluster, publisher]: WireKey): RecordKey {
  return recordKey(serviceKey(namespace, group, name), addressOf(ip, port, cluster), publisher);
}
