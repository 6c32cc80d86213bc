// Door of @rollcall/server for packages of this repository: the core as it is and what makes changes durable around it, for the
// simulator that runs many of them.

export { commitEdits } from './adapters/instance-changes/edit-commit.js';
export { claimInstance, releaseInstance } from './adapters/instance-changes/instance-claim.js';
export { changeNamespace, makeNamespace, removeNamespace } from './adapters/operator/namespace-changes.js';
export type { RegistryAccess } from './adapters/registry-access.js';
export { createService, removeService, updateService } from './adapters/service-changes/service-change.js';
export type { CommitOutcome, DurableStore, StoreLane, StoreListener } from './adapters/store/durable-store.js';
export type {
  Compare,
  KeyEvent,
  KeyValue,
  KeyValueStore,
  Listing,
  Transaction,
  TransactionOutcome,
  WatchEnd,
  WatchListener,
} from './adapters/store/shared/key-value-store.js';
export { SharedStore } from './adapters/store/shared/shared-store.js';
export { SplitStore } from './adapters/store/shared/split-store.js';
export { changeOf, KEY_PREFIXES, recordOf } from './adapters/store/store-record.js';
export { DurableCommits, FROM_OTHER_NODE } from './app/durable-commits.js';
export type { Actor } from './core/actor.js';
export { DEFAULT_CORE_SETTINGS } from './core/core-settings.js';
export { planPatch, planReset } from './core/edit-plan.js';
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
