// Door of @rollcall/server for packages of this repository: the core as it is, for the simulator that runs many of them.

export { DEFAULT_CORE_SETTINGS } from './core/core-settings.js';
export type { Effect } from './core/effect.js';
export { type Address, addressOf } from './core/instance-address.js';
export type { JournalEntry } from './core/journal-entry.js';
export { RegistryCore } from './core/registry-core.js';
export type { RegistryEvent } from './core/registry-event.js';
export type { RegistryInput, ResultOf } from './core/registry-input.js';
export type {
  PeerMessage,
  SetDigest,
  SetId,
  WireChange,
  WireKey,
  WireRecord,
} from './core/replication/peer-message.js';
export { DEFAULT_REPLICATION_SETTINGS, type ReplicationSettings } from './core/replication/replication-settings.js';
export type { InstanceView, ServiceView } from './core/service-view.js';
export type { StoreChange } from './core/store-change.js';
