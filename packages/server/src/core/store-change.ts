// Changes of durable data. They are written to the store first and enter the core afterwards, whoever made them.

import type { InstanceContent, InstanceKind, ServiceKey } from '@rollcall/protocol';
import type { EditOverlay } from './edit-overlay.js';
import type { Address } from './instance-address.js';
import type { Version } from './replication/replicated-record.js';
import type { ServiceDefinition } from './service-definition.js';
import type { Switches } from './switches.js';

/** A namespace that somebody made; `public` always exists and is not stored. */
export interface Namespace {
  readonly id: string;
  readonly name: string;
  /** Null when nobody gave one. */
  readonly description: string | null;
}

/** One durable record set to a value, or removed when the value is undefined. */
export type StoreChange =
  | { readonly type: 'service'; readonly service: ServiceKey; readonly value: ServiceDefinition | undefined }
  | {
      readonly type: 'persistent-instance';
      readonly service: ServiceKey;
      readonly address: Address;
      readonly value: PersistentInstance | undefined;
    }
  | {
      readonly type: 'edit';
      readonly service: ServiceKey;
      readonly kind: InstanceKind;
      readonly address: Address;
      readonly value: EditOverlay | undefined;
      /** Place among all edits of the instance in the cluster; absent until the node has given it one, and alone. */
      readonly version?: Version;
    }
  | { readonly type: 'namespace'; readonly id: string; readonly value: Namespace | undefined }
  | { readonly type: 'switches'; readonly value: Switches | undefined };

/** A persistent instance as it is stored: what was registered, and what an operator's removals left of it. */
export interface PersistentInstance {
  readonly registered: InstanceContent;
  /** Content under the overlay; the same as `registered` unless an operator took something out. */
  readonly base: InstanceContent;
}
