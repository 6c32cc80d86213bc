// Changes that were made on this node, into its own set (R6 to R8, R11), and those that a restart brings back.

import type { ServiceKey } from '@rollcall/protocol';
import type { ClaimObserver } from '../claim-observer.js';
import type { Address } from '../instance-address.js';
import type { Registration } from '../instance-record.js';
import { HTTP_PUBLISHER } from '../publisher.js';
import type { InstanceCause } from '../registry-event.js';
import type { Service } from '../service.js';
import type { StoreChange } from '../store-change.js';
import type { ClusterState, Weighed } from './cluster-state.js';
import { COUNT_MAX } from './peer-message.js';
import { isConnectionKey, OPERATOR_PUBLISHER, PROBE_PUBLISHER, type RecordKey, recordKey } from './record-key.js';
import type { ClaimValue, Version } from './replicated-record.js';
import type { RestoredRecords } from './restored-records.js';

/** Writes local changes. */
export class LocalWrites implements ClaimObserver {
  readonly #cluster: ClusterState;
  readonly #restored: RestoredRecords;
  readonly #settle: (key: RecordKey) => void;

  constructor(
    cluster: ClusterState,
    parts: { readonly restored: RestoredRecords; readonly settle: (key: RecordKey) => void },
  ) {
    this.#cluster = cluster;
    this.#restored = parts.restored;
    this.#settle = parts.settle;
  }

  /** R7. A claim of the store is none of the cluster's: every node has it from there. Its health may be known already. */
  claimPut(service: Service, registration: Registration): void {
    const { record, publisher, healthy } = registration;
    if (record.kind === 'persistent') {
      this.#settle(recordKey(service.key, record.address, PROBE_PUBLISHER));
      return;
    }
    const key = recordKey(service.key, record.address, publisher);
    if (this.#cluster.registry.restoring) {
      this.#restored.put(key, registration);
      return;
    }
    const weighed = this.#cluster.weigh(key);
    const held = this.#cluster.own.lease(key.text);
    const isHolder = held !== undefined && weighed.lease?.set === this.#cluster.sets.own;
    const version = this.#newVersion(weighed, registration);
    registration.version = version;
    const ten = isHolder ? held.ten : Math.min(COUNT_MAX, weighed.highestTen + 1);
    this.#cluster.own.putLease(key, { ...version, claim: claimOf(registration), ten, healthy });
    if (isLater(version, weighed) && (isHolder || ten > weighed.highestTen)) this.#settle(key);
  }

  claimHealth(service: Service, { record, publisher, healthy }: Registration): void {
    const { own, registry } = this.#cluster;
    if (record.kind === 'persistent') {
      if (!registry.restoring) this.#putHealth(service, record.address, healthy);
      return;
    }
    const key = recordKey(service.key, record.address, publisher);
    if (registry.restoring) {
      this.#restored.setHealth(key, healthy);
      return;
    }
    const held = own.lease(key.text);
    if (held === undefined) return;
    own.putLease(key, { ...held, healthy });
    this.#settle(key);
  }

  claimEnded(service: Service, registration: Registration, cause: InstanceCause): void {
    const { record, publisher } = registration;
    const { own, registry } = this.#cluster;
    if (record.kind === 'persistent') {
      own.drop(recordKey(service.key, record.address, PROBE_PUBLISHER));
      return;
    }
    const key = recordKey(service.key, record.address, publisher);
    if (registry.restoring) this.#restored.drop(key);
    else if (isConnectionKey(key)) own.drop(key);
    else if (cause === 'delete-timeout') this.#endLease(key, registration);
    else this.#remove(key, registration.leaseTimes.deleteTimeoutMs);
    if (!registry.restoring) this.#settle(key);
  }

  /** R8 for what is not in the view: another node may have taken it a moment ago. */
  removeUnknown(service: ServiceKey, address: Address): void {
    const key = recordKey(service, address, HTTP_PUBLISHER);
    this.#remove(key, 0);
    this.#settle(key);
  }

  /** Newer content without a sign of life. A lease that is held elsewhere stays there: its holder takes the content over. */
  claimRebased(service: Service, registration: Registration): void {
    const { own, now, settings } = this.#cluster;
    const key = recordKey(service.key, registration.record.address, registration.publisher);
    const held = own.lease(key.text);
    const weighed = this.#cluster.weigh(key);
    const version = this.#newVersion(weighed, registration);
    registration.version = version;
    const claim = claimOf(registration);
    if (held !== undefined) own.putLease(key, { ...held, ...version, claim });
    else own.putEnd(key, { state: 'ended', ...version, claim, ten: 0 }, { now, keptMs: settings.removalKeptMs });
    if (isLater(version, weighed)) this.#settle(key);
  }

  hasReprieve(service: Service, { record, publisher }: Registration): boolean {
    const { sets } = this.#cluster;
    const key = recordKey(service.key, record.address, publisher);
    return sets
      .candidates(key)
      .some(
        ({ set, record: other, droppedFor }) =>
          other.state === 'live' &&
          other.healthy &&
          droppedFor === undefined &&
          sets.get(set.id)?.catchUp !== undefined,
      );
  }

  editSet(service: Service, change: Extract<StoreChange, { type: 'edit' }>): void {
    const { kind, address, value: edit } = change;
    if (kind === 'persistent') return;
    const { own, now, settings, registry } = this.#cluster;
    const key = recordKey(service.key, address, OPERATOR_PUBLISHER);
    if (registry.restoring) {
      if (edit !== undefined) this.#restored.putEdit(key, edit, change.version);
      return;
    }
    const version = own.newVersion(this.#cluster.weigh(key).highestCv, now);
    if (edit !== undefined) own.putValue(key, { state: 'edit', ...version, edit });
    else own.putEnd(key, { state: 'removed', ...version }, { now, keptMs: settings.removalKeptMs });
    if (edit !== undefined) registry.emit({ type: 'keep', change: { ...change, version } });
    this.#settle(key);
  }

  /** An edit has outlived its instance here. Where another node still remembers it, all do: else its instance comes back with two. */
  editForgotten(service: Service, address: Address): void {
    const key = recordKey(service.key, address, OPERATOR_PUBLISHER);
    this.#cluster.own.drop(key);
    this.#settle(key);
  }

  #putHealth(service: Service, address: Address, healthy: boolean): void {
    const { own, now } = this.#cluster;
    const key = recordKey(service.key, address, PROBE_PUBLISHER);
    const version = own.newVersion(this.#cluster.weigh(key).highestCv, now);
    own.putValue(key, { state: 'health', ...version, healthy });
    this.#settle(key);
  }

  /** R11: the content stays in the record, so that nobody takes an old lease for one that goes on. */
  #endLease(key: RecordKey, { leaseTimes }: Registration): void {
    const { own, now } = this.#cluster;
    const held = own.lease(key.text);
    if (held === undefined) return;
    const { cv, op, claim, ten } = held;
    own.putEnd(key, { state: 'ended', cv, op, claim, ten }, { now, keptMs: this.#keptMs(leaseTimes.deleteTimeoutMs) });
  }

  #remove(key: RecordKey, deleteTimeoutMs: number): void {
    const { own, now } = this.#cluster;
    const version = own.newVersion(this.#cluster.weigh(key).highestCv, now);
    own.putEnd(key, { state: 'removed', ...version }, { now, keptMs: this.#keptMs(deleteTimeoutMs) });
  }

  /** T, or longer for an instance whose own delete timeout needs it. */
  #keptMs(deleteTimeoutMs: number): number {
    const { removalKeptMs, setRetentionMs } = this.#cluster.settings;
    return Math.max(removalKeptMs, Math.min(setRetentionMs + deleteTimeoutMs + 15_000, KEPT_MS_MAX));
  }

  /** Newer than every version of the key, and than all other claims on the instance: the newest gives the content. */
  #newVersion({ highestCv }: Weighed, { record }: Registration): Version {
    let highest = highestCv;
    for (const { version } of record.registrations) highest = Math.max(highest, version?.cv ?? 0);
    return this.#cluster.own.newVersion(highest, this.#cluster.now);
  }
}

/**
 * Whether a write is later than all that is known of its key. It is not when a peer told the greatest numbers there are: what
 * comes of that is shown when that peer's record changes, not in the midst of the write.
 */
function isLater({ cv }: Version, { highestCv }: Weighed): boolean {
  return cv > highestCv;
}

/** Removals of instances with a delete timeout of hours are remembered no longer than this. */
const KEPT_MS_MAX = 600_000;

/** What a claim says. */
function claimOf({ registered, base, record }: Registration): ClaimValue {
  return { registered, base, numericId: record.numericId };
}
