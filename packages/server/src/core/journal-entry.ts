// Changes of ephemeral membership, in the form in which they are journalled before they are acknowledged. A snapshot is
// the shortest list of entries that leads to the same state, so one format serves both.

import type { InstanceContent, ServiceKey } from '@rollcall/protocol';
import type { Address } from './instance-address.js';
import type { Version } from './replication/replicated-record.js';

/** One entry. */
export type JournalEntry =
  | ServiceEntry
  /** Numbers of pushes up to this one may have been used: a later run gives greater ones, whatever its clock says. */
  | { readonly type: 'push-numbers'; readonly upTo: number };

/** One change of a service. `refTime` is the service's list version (epoch ms) after it, so that versions grow across restarts. */
export type ServiceEntry =
  | {
      readonly type: 'registered';
      readonly service: ServiceKey;
      readonly address: Address;
      /** `http`, or the id of a connection. */
      readonly publisher: string;
      readonly registered: InstanceContent;
      /** Content under the operator's overlay; absent when it is `registered`. */
      readonly base?: InstanceContent;
      readonly healthy: boolean;
      /** Absent for ids that follow from the address. */
      readonly instanceId?: string;
      /** Place of the content among all writes of its key in the cluster; absent when the node is alone. */
      readonly version?: Version;
      readonly refTime: number;
    }
  | {
      readonly type: 'health';
      readonly service: ServiceKey;
      readonly address: Address;
      readonly publisher: string;
      readonly healthy: boolean;
      readonly refTime: number;
    }
  | {
      readonly type: 'removed';
      readonly service: ServiceKey;
      readonly address: Address;
      readonly publisher: string;
      readonly refTime: number;
    }
  | {
      readonly type: 'subscribed';
      readonly service: ServiceKey;
      readonly subscriber: UdpSubscriberRecord;
    }
  | { readonly type: 'unsubscribed'; readonly service: ServiceKey; readonly subscriberKey: string }
  /** The list changed for a reason that is not journalled (durable data): only its version is kept. */
  | { readonly type: 'list-version'; readonly service: ServiceKey; readonly refTime: number };

/** A 1.x subscriber as it is kept across a restart. */
export interface UdpSubscriberRecord {
  readonly ip: string;
  readonly port: number;
  /** As the client sent it, comma separated. */
  readonly clusters: string;
  readonly agent: string;
  readonly app: string;
}
