// What readers see of a service at one moment: immutable, replaced as a whole when something changes. Encoded answers
// are kept with it until then, so an unchanged service is answered by a look-up.

import {
  type InstanceContent,
  type InstanceKind,
  type LeaseTimes,
  leaseTimesOf,
  type Metadata,
  type ServiceKey,
} from '@rollcall/protocol';
import type { Address } from './instance-address.js';
import type { ServiceDefinition } from './service-definition.js';

/** One instance as it is in force: what was registered with the operator's edits over it. */
export class InstanceView {
  readonly address: Address;
  readonly kind: InstanceKind;
  readonly healthy: boolean;
  readonly content: InstanceContent;
  readonly instanceId: string;
  readonly #claim: { readonly lastBeatWall: number; readonly publisher: string };

  constructor(fields: {
    address: Address;
    kind: InstanceKind;
    healthy: boolean;
    content: InstanceContent;
    instanceId: string;
    claim: { readonly lastBeatWall: number; readonly publisher: string };
  }) {
    this.address = fields.address;
    this.kind = fields.kind;
    this.healthy = fields.healthy;
    this.content = fields.content;
    this.instanceId = fields.instanceId;
    this.#claim = fields.claim;
  }

  get ip(): string {
    return this.address.ip;
  }
  get port(): number {
    return this.address.port;
  }
  get cluster(): string {
    return this.address.cluster;
  }
  get ephemeral(): boolean {
    return this.kind === 'ephemeral';
  }
  get weight(): number {
    return this.content.weight;
  }
  get enabled(): boolean {
    return this.content.enabled;
  }
  get metadata(): Metadata {
    return this.content.metadata;
  }
  get app(): string | undefined {
    return this.content.app;
  }
  get leaseTimes(): LeaseTimes {
    return leaseTimesOf(this.content.metadata);
  }
  /** Who gives the content: a connection id, or one of the publishers that are none. */
  get publisher(): string {
    return this.#claim.publisher;
  }
  /** Last beat, or last registration, epoch ms. Live: a beat moves it without a new view. */
  get lastBeat(): number {
    return this.#claim.lastBeatWall;
  }
}

/** Forms of answers kept per view at most; when there are more, all are dropped and made anew. */
const PREPARED_MAX = 64;

/** A service at one moment. */
export class ServiceView {
  readonly key: ServiceKey;
  /** Whether the service exists for readers; what has subscribers only does not. */
  readonly known: boolean;
  readonly definition: ServiceDefinition;
  /** Names of all clusters that the service has or had, sorted. */
  readonly clusters: readonly string[];
  /** Sorted by cluster, then persistent before ephemeral, then address. */
  readonly hosts: readonly InstanceView[];
  /** Wall time of the change that led here, epoch ms, strictly increasing per service, also across restarts. */
  readonly refTime: number;
  readonly #prepared = new Map<string, unknown>();

  constructor(fields: {
    key: ServiceKey;
    known: boolean;
    definition: ServiceDefinition;
    clusters: readonly string[];
    hosts: readonly InstanceView[];
    refTime: number;
  }) {
    this.key = fields.key;
    this.known = fields.known;
    this.definition = fields.definition;
    this.clusters = fields.clusters;
    this.hosts = fields.hosts;
    this.refTime = fields.refTime;
  }

  /**
   * The answer of a form, made on first use and kept as long as the view.
   *
   * @param form - names the form completely: equal names must mean equal answers and equal types
   * @param make - makes the answer from this view alone
   */
  prepared<T>(form: string, make: (view: ServiceView) => T): T {
    const known = this.#prepared.get(form);
    if (known !== undefined) return known as T;
    if (this.#prepared.size >= PREPARED_MAX) this.#prepared.clear();
    const made = make(this);
    this.#prepared.set(form, made);
    return made;
  }
}
