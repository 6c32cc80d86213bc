// A service with everything it holds. It exists while it is defined, has instances or subscribers, or had some a moment ago.

import { type InstanceKind, NO_METADATA, NO_SELECTOR, type ServiceKey } from '@rollcall/protocol';
import type { Deadline } from '@rollcall/runtime/deadline-queue';
import type { Instant } from '@rollcall/runtime/time';
import type { EditOverlay } from './edit-overlay.js';
import type { ListDialect } from './host-selection.js';
import type { Address } from './instance-address.js';
import type { InstanceRecord } from './instance-record.js';
import { NumericIds } from './numeric-ids.js';
import type { ServiceDefinition } from './service-definition.js';
import { ServiceView } from './service-view.js';
import type { Subscriber } from './subscriber.js';

/** Settings of a service for which nobody set any. */
export const DEFAULT_DEFINITION: ServiceDefinition = {
  protectThreshold: 0,
  metadata: NO_METADATA,
  selector: NO_SELECTOR,
  clusters: new Map(),
};

/** An operator's edit and how long it outlives its instance. */
export class RememberedEdit implements Deadline {
  dueAt = 0 as Instant;
  heapIndex = -1;
  readonly service: Service;
  readonly kind: InstanceKind;
  readonly address: Address;
  overlay: EditOverlay;
  /** Whether its instance has been gone for its time. Its store may not have forgotten it yet. */
  isOver = false;

  constructor(service: Service, kind: InstanceKind, address: Address, overlay: EditOverlay) {
    this.service = service;
    this.kind = kind;
    this.address = address;
    this.overlay = overlay;
  }

  get purpose(): 'edit' {
    return 'edit';
  }
}

/** End of the merge window of a service's pushes. */
export class PushWindow implements Deadline {
  dueAt = 0 as Instant;
  heapIndex = -1;
  readonly service: Service;
  /** Whether the service changed since the push that opened the window. */
  changed = false;

  constructor(service: Service) {
    this.service = service;
  }

  get purpose(): 'push-window' {
    return 'push-window';
  }
}

/** A service. As a deadline it is the moment at which it vanishes when it stays empty. */
export class Service implements Deadline {
  dueAt = 0 as Instant;
  heapIndex = -1;
  readonly key: ServiceKey;
  /** Whether somebody made it; such a service stays until it is deleted. */
  defined = false;
  /** Whether it exists for readers: defined, or has or had instances. A service that is only subscribed does not. */
  known = false;
  definition: ServiceDefinition = DEFAULT_DEFINITION;
  /** Dialects in whose lists so few instances are healthy that all are shown as healthy. */
  protecting: readonly ListDialect[] = [];
  /** Clusters named by instances or by definition; once named they stay (1.4.8). */
  readonly clusters = new Set<string>();
  readonly ephemeral = new Map<string, InstanceRecord>();
  readonly persistent = new Map<string, InstanceRecord>();
  /** Edits by `kind/address key`. */
  readonly edits = new Map<string, RememberedEdit>();
  readonly subscribers = new Map<string, Subscriber>();
  readonly pushWindow: PushWindow = new PushWindow(this);
  /** Version of the list: wall time of its last change, epoch ms, strictly increasing. */
  refTime = 0;
  readonly #sorted: InstanceRecord[] = [];
  readonly #numericIds = new Map<InstanceKind, NumericIds>();
  #view: ServiceView | undefined;

  constructor(key: ServiceKey) {
    this.key = key;
  }

  get purpose(): 'service' {
    return 'service';
  }

  /** Instances of both kinds. */
  get instanceCount(): number {
    return this.#sorted.length;
  }

  /** Instances of both kinds that are healthy. */
  get healthyCount(): number {
    let count = 0;
    for (const record of this.#sorted) if (record.healthy) count += 1;
    return count;
  }

  /** Instances in list order. */
  get records(): readonly InstanceRecord[] {
    return this.#sorted;
  }

  /** The instances of a kind by address key. */
  recordsOf(kind: InstanceKind): Map<string, InstanceRecord> {
    return kind === 'ephemeral' ? this.ephemeral : this.persistent;
  }

  /** The numeric instance ids in use by a kind. */
  numericIds(kind: InstanceKind): NumericIds {
    let ids = this.#numericIds.get(kind);
    if (ids === undefined) {
      ids = new NumericIds();
      this.#numericIds.set(kind, ids);
    }
    return ids;
  }

  /** Adds a new instance. */
  add(record: InstanceRecord): void {
    this.recordsOf(record.kind).set(record.address.key, record);
    this.#sorted.splice(this.#placeOf(record), 0, record);
    this.clusters.add(record.address.cluster);
  }

  /** Takes an instance out. */
  remove(record: InstanceRecord): void {
    this.recordsOf(record.kind).delete(record.address.key);
    this.#sorted.splice(this.#placeOf(record), 1);
  }

  /** The list changed at this wall time: its version rises and readers get a new view. */
  touch(wall: number): void {
    this.refTime = Math.max(wall, this.refTime + 1);
    this.#view = undefined;
  }

  /** Drops prepared answers although the list is the same, because something that they also show changed. */
  forgetView(): void {
    this.#view = undefined;
  }

  /** What readers see; the same object until the next change. */
  view(): ServiceView {
    this.#view ??= new ServiceView({
      key: this.key,
      known: this.known,
      definition: this.definition,
      clusters: [...this.clusters].sort(),
      hosts: this.#sorted.map((record) => record.view()),
      refTime: this.refTime,
    });
    return this.#view;
  }

  #placeOf(record: InstanceRecord): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareRecords(this.#sorted[middle] as InstanceRecord, record) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compareRecords(a: InstanceRecord, b: InstanceRecord): number {
  return (
    compareText(a.address.cluster, b.address.cluster) ||
    compareText(b.kind, a.kind) ||
    compareText(a.address.ip, b.address.ip) ||
    a.address.port - b.address.port
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
