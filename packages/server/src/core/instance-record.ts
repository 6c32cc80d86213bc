// One instance with all the claims on it, what an operator laid over it, and what follows from both. A claim may be a
// lease: that of an HTTP client.

import {
  type InstanceContent,
  type InstanceKind,
  type LeaseTimes,
  leaseTimesOf,
  type ServiceKey,
} from '@rollcall/protocol';
import type { Deadline } from '@rollcall/runtime/deadline-queue';
import type { Instant } from '@rollcall/runtime/time';
import type { BeatConnection } from './beat-connection.js';
import { type EditOverlay, withOverlay } from './edit-overlay.js';
import type { Address } from './instance-address.js';
import type { NodeId, SetId } from './replication/peer-message.js';
import { compareVersions, type Version } from './replication/replicated-record.js';
import { InstanceView } from './service-view.js';

/** An instance that exists: it has at least one registration, except while it is being made. */
export class InstanceRecord {
  readonly service: ServiceKey;
  readonly address: Address;
  readonly kind: InstanceKind;
  /** Oldest first. Replaced, never changed in place: most instances have exactly one. */
  registrations: readonly Registration[] = [];
  overlay: EditOverlay | undefined;
  #numericId: string | undefined;
  #view: InstanceView | undefined;

  constructor(service: ServiceKey, kind: InstanceKind, address: Address, numericId: string | undefined) {
    this.service = service;
    this.kind = kind;
    this.address = address;
    this.#numericId = numericId;
  }

  /**
   * The id that the publisher gave, else the one of the first registration: numeric when asked for, or made of the
   * address (1.4.8).
   */
  get instanceId(): string {
    return this.registered.instanceId ?? this.#numericId ?? `${this.address.key}#${this.service.grouped}`;
  }

  /** The id when it is numeric. */
  get numericId(): string | undefined {
    return this.#numericId;
  }

  /** The registration that gives the content. */
  get current(): Registration {
    return this.registrations[this.registrations.length - 1] as Registration;
  }

  /** What the publisher of the current registration sent. */
  get registered(): InstanceContent {
    return this.current.registered;
  }

  /** The content in force: base with the overlay over it. */
  get inForce(): InstanceContent {
    return withOverlay(this.current.base, this.overlay);
  }

  /**
   * Health in force: that of the newest registration, unless its lease ran out while another publisher says that the
   * instance is well.
   */
  get healthy(): boolean {
    const { current } = this;
    if (current.healthy || this.registrations.length === 1) return current.healthy;
    return current.registered.healthy && this.registrations.some((registration) => registration.healthy);
  }

  /** The claim of a publisher. */
  registrationOf(publisher: string): Registration | undefined {
    const { current } = this;
    if (current !== undefined && current.publisher === publisher) return current;
    return this.registrations.find((registration) => registration.publisher === publisher);
  }

  /** Adds the claim as the newest, or makes it the newest. */
  putNewest(registration: Registration): void {
    if (this.registrations.length === 0) this.registrations = [registration];
    else if (this.current !== registration)
      this.registrations = [...this.registrations.filter((other) => other !== registration), registration];
    this.refresh();
  }

  /** Adds the claim, or moves it, to its place by version: the same on all nodes. */
  putInOrder(registration: Registration): void {
    const others = this.registrations.filter((other) => other !== registration);
    const isLater = ({ version }: Registration) => compareVersions(version, registration.version) > 0;
    const index = others.findIndex(isLater);
    this.registrations =
      index < 0 ? [...others, registration] : [...others.slice(0, index), registration, ...others.slice(index)];
    this.refresh();
  }

  /** Takes the claim away. */
  drop(registration: Registration): void {
    this.registrations = this.registrations.filter((other) => other !== registration);
    registration.ended = true;
    this.refresh();
  }

  /** Must be called after any change of content, overlay or health. */
  refresh(): void {
    this.#view = undefined;
  }

  /** What readers see; the same object until the next change. */
  view(): InstanceView {
    this.#view ??= new InstanceView({
      address: this.address,
      kind: this.kind,
      healthy: this.healthy,
      content: this.inForce,
      instanceId: this.instanceId,
      claim: this.current,
    });
    return this.#view;
  }
}

/** Other addresses kept per claim; from then on beats from more of them are not noticed. */
export const SOURCES_MAX = 3;
const NO_SOURCES: readonly string[] = [];

/** A lease that another node of the cluster holds, or held. */
export interface RemoteLease {
  readonly node: NodeId;
  /** Set in which it is. */
  readonly set: SetId;
  /** Its short name there; 0 for a lease of this node from before its restart. */
  readonly id: number;
}

/** A claim. The newest one of an instance gives its content; the instance is there while any is. */
export class Registration implements Deadline {
  dueAt = 0 as Instant;
  heapIndex = -1;
  readonly record: InstanceRecord;
  readonly publisher: string;
  /** What the publisher sent last. */
  registered: InstanceContent;
  /** What is left of it after an operator's removals; the same object as `registered` without such. */
  base: InstanceContent;
  healthy: boolean;
  /** Last sign of life: registration or beat. */
  lastBeat: Instant;
  lastBeatWall: number;
  /** Its connection was there before a restart, or moved to another server: kept until its grace ends. */
  orphaned = false;
  /** Taken away for good; who claims again gets another. */
  ended = false;
  /** Whether its next beat is late, and that was reported. */
  beatMissed = false;
  /** Connection over which its last beat came, where that is known. */
  connection: BeatConnection | undefined = undefined;
  /** Address from which it was registered or beats; undefined until one is known. */
  source: string | undefined = undefined;
  /** Where the lease is held, when that is another node: then it has no deadline here. Undefined also outside of a cluster. */
  heldBy: RemoteLease | undefined = undefined;
  /** Version of the content; undefined outside of a cluster. */
  version: Version | undefined = undefined;
  /** Other addresses that were seen to beat for it; at most {@link SOURCES_MAX}. */
  otherSources: readonly string[] = NO_SOURCES;

  constructor(fields: {
    record: InstanceRecord;
    publisher: string;
    content: InstanceContent;
    healthy: boolean;
    lastBeat: Instant;
    lastBeatWall: number;
  }) {
    this.record = fields.record;
    this.publisher = fields.publisher;
    this.registered = fields.content;
    this.base = fields.content;
    this.healthy = fields.healthy;
    this.lastBeat = fields.lastBeat;
    this.lastBeatWall = fields.lastBeatWall;
  }

  /** Whether beats are known to come from an address. */
  isSource(address: string | undefined): boolean {
    return address === this.source || (address !== undefined && this.otherSources.includes(address));
  }

  /** Durations of the lease: from the publisher's own metadata with the operator's edits over it. */
  get leaseTimes(): LeaseTimes {
    return leaseTimesOf(withOverlay(this.base, this.record.overlay).metadata);
  }

  /** Tells the deadline apart from other kinds in the queue. */
  get purpose(): 'registration' {
    return 'registration';
  }
}
