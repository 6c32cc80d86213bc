// Several registry cores on one manual clock, wired to each other by a network that tests can cut: for scenarios of
// replication without a simulator.

import { DEFAULT_LIMITS, type InstanceContent, type Limits, type ServiceKey } from '@rollcall/protocol';
import { ManualClock } from '@rollcall/runtime/testing';
import type { EpochMs, Instant, Now } from '@rollcall/runtime/time';
import { DEFAULT_CORE_SETTINGS } from '../core/core-settings.js';
import type { Effect } from '../core/effect.js';
import type { Address } from '../core/instance-address.js';
import type { JournalEntry } from '../core/journal-entry.js';
import { RegistryCore } from '../core/registry-core.js';
import type { RegistryEvent } from '../core/registry-event.js';
import type { RegistryInput, ResultOf } from '../core/registry-input.js';
import type { PeerMessage } from '../core/replication/peer-message.js';
import { DEFAULT_REPLICATION_SETTINGS, type ReplicationSettings } from '../core/replication/replication-settings.js';
import { contentOf, TESTER } from './core-fixture.js';

/** A message on its way. */
interface Flight {
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly message: PeerMessage;
}

/** A node that can be killed, frozen and started again. */
export class NodeFixture {
  core: RegistryCore;
  effects: Effect[] = [];
  alive = true;
  frozenAt: number | undefined;
  /** By how much its wall clock is ahead of the others'. */
  wallAheadMs = 0;

  constructor(
    readonly id: string,
    readonly make: (sink: (effect: Effect) => void) => RegistryCore,
  ) {
    this.core = make((effect) => this.effects.push(effect));
  }

  /** Events so far, by type. */
  events<T extends RegistryEvent['type']>(type: T): Extract<RegistryEvent, { type: T }>[] {
    return this.effects.flatMap((effect) =>
      effect.type === 'event' && effect.event.type === type
        ? [effect.event as Extract<RegistryEvent, { type: T }>]
        : [],
    );
  }
}

/** Nodes `10.9.0.1:8848` and so on. */
export class ClusterFixture {
  readonly clock = new ManualClock();
  readonly nodes: NodeFixture[] = [];
  /** Second processes under addresses of nodes. */
  readonly twins: NodeFixture[] = [];
  /** Messages sent so far, by type. */
  readonly sent = new Map<PeerMessage['type'], number>();
  /** One way of a message through the network, ms. */
  delayMs = 10;
  #flights: Flight[] = [];
  readonly #cuts = new Set<string>();
  readonly #replication: ReplicationSettings;
  readonly #limits: Limits;
  readonly #taken = new Map<NodeFixture, number>();
  #runs = 0;

  constructor(size: number, options: { replication?: Partial<ReplicationSettings>; limits?: Partial<Limits> } = {}) {
    this.#replication = { ...DEFAULT_REPLICATION_SETTINGS, ...options.replication };
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    for (let index = 0; index < size; index += 1) this.nodes.push(this.#node(index, 1));
    for (let index = 0; index < size; index += 1) this.step(index, { type: 'members', members: this.ids });
  }

  /** A cluster whose nodes are ready. */
  static ready(
    size: number,
    options: { replication?: Partial<ReplicationSettings>; limits?: Partial<Limits> } = {},
  ): ClusterFixture {
    const cluster = new ClusterFixture(size, options);
    cluster.advance(3000);
    return cluster;
  }

  get ids(): string[] {
    return this.nodes.map(({ id }) => id);
  }

  /** Feeds one input to a node. */
  step<I extends RegistryInput>(index: number, input: I): ResultOf<I> {
    const node = this.#at(index);
    const result = node.core.step(input, this.#now(node));
    this.#post(node);
    return result;
  }

  /** Moves time; everything that is due on the way happens, messages arrive. */
  advance(ms: number): void {
    const end = this.clock.now().mono + ms;
    for (let next = this.#nextAt(); next !== undefined && next <= end; next = this.#nextAt()) {
      this.clock.advance(Math.max(0, next - this.clock.now().mono));
      this.#deliver();
      for (const [index, node] of this.nodes.entries()) {
        const due = node.core.nextDeadline();
        if (this.#isRunning(node) && due !== undefined && due <= this.clock.now().mono)
          this.step(index, { type: 'tick' });
      }
      for (const twin of this.twins) this.#stepTwin(twin, { type: 'tick' });
    }
    this.clock.advance(end - this.clock.now().mono);
  }

  /** Messages between two nodes vanish, in both directions. */
  cut(a: number, b: number): void {
    this.#cuts.add(`${a}>${b}`).add(`${b}>${a}`);
  }

  /** Messages of one direction vanish. */
  cutOneWay(from: number, to: number): void {
    this.#cuts.add(`${from}>${to}`);
  }

  /** A node is cut off from all others. */
  isolate(index: number): void {
    for (const [other] of this.nodes.entries()) if (other !== index) this.cut(index, other);
  }

  /** All messages arrive again. */
  heal(): void {
    this.#cuts.clear();
  }

  /** The process of a node is gone. @param options - `refused`: its port says so to the others */
  kill(index: number, options: { refused: boolean } = { refused: false }): void {
    this.#at(index).alive = false;
    if (!options.refused) return;
    for (const [other, node] of this.nodes.entries()) {
      if (!node.alive || other === index) continue;
      this.step(other, { type: 'peer-refused', peer: this.#at(index).id });
      this.step(other, { type: 'peer-refused', peer: this.#at(index).id });
    }
  }

  /** A node stands still, with all that comes in waiting. */
  freeze(index: number): void {
    this.#at(index).frozenAt = this.clock.now().mono;
  }

  /** It goes on. */
  thaw(index: number): void {
    const node = this.#at(index);
    const since = node.frozenAt as Instant;
    const now = this.#now(node);
    node.frozenAt = undefined;
    node.core.step({ type: 'paused', ms: now.mono - since }, { mono: since, wall: now.wall });
    this.#post(node);
  }

  /** A process of a node starts. @param options - what the disk holds: the last epoch, and a snapshot */
  restart(index: number, options: { epoch: number; entries?: readonly JournalEntry[]; ageMs?: number }): void {
    const node = this.#node(index, options.epoch + 1);
    this.nodes[index] = node;
    const { entries, ageMs } = options;
    if (entries !== undefined)
      this.step(index, { type: 'restore', changes: [], entries, ...(ageMs !== undefined && { ageMs }) });
    this.step(index, { type: 'members', members: this.ids });
  }

  /** A second process starts under the address of a node; what peers send to it reaches both. @param epoch - as it read it from disk */
  addTwin(index: number, epoch: number): void {
    const twin = this.#node(index, epoch + 1);
    this.twins.push(twin);
    twin.core.step({ type: 'members', members: this.ids }, this.clock.now());
    this.#post(twin);
  }

  register(index: number, service: ServiceKey, address: Address, content: Partial<InstanceContent> = {}): void {
    this.step(index, {
      type: 'register',
      service,
      address,
      content: contentOf(content),
      kindRule: 'mixed',
      actor: TESTER,
    });
  }

  deregister(index: number, service: ServiceKey, address: Address): void {
    this.step(index, { type: 'deregister', service, address, actor: TESTER });
  }

  beat(index: number, service: ServiceKey, address: Address) {
    return this.step(index, { type: 'beat', service, address, content: undefined, actor: TESTER });
  }

  publish(
    index: number,
    service: ServiceKey,
    connection: string,
    addresses: readonly Address[],
    content: Partial<InstanceContent> = {},
  ): void {
    this.step(index, {
      type: 'publish',
      service,
      connection,
      instances: addresses.map((address) => ({ address, content: contentOf(content) })),
      means: 'list',
      actor: TESTER,
    });
  }

  /** Hosts of a service at a node as `ip:port`, with `-` in front of the unhealthy ones, and `@` and the node that holds it. */
  list(index: number, service: ServiceKey): string[] {
    const { core } = this.#at(index);
    return (core.view(service.id)?.hosts ?? []).map((host) => {
      const holder = core.replication?.holderOf(service.id, host.address.key) ?? '';
      return `${host.healthy ? '' : '-'}${host.ip}:${host.port}@${this.ids.indexOf(holder)}`;
    });
  }

  /** The lists of all living nodes. */
  lists(service: ServiceKey): string[][] {
    return this.nodes.flatMap((node, index) => (node.alive ? [this.list(index, service)] : []));
  }

  #stepTwin(twin: NodeFixture, input: RegistryInput): void {
    twin.core.step(input, this.clock.now());
    this.#post(twin);
  }

  #node(index: number, epoch: number): NodeFixture {
    this.#runs += 1;
    const run = `run${this.#runs}`;
    const self = `10.9.0.${index + 1}:8848`;
    return new NodeFixture(
      self,
      (sink) =>
        new RegistryCore({
          sink,
          settings: DEFAULT_CORE_SETTINGS,
          limits: this.#limits,
          node: { self, run, epoch, replication: this.#replication },
        }),
    );
  }

  #now({ wallAheadMs }: NodeFixture): Now {
    const { mono, wall } = this.clock.now();
    return { mono, wall: (wall + wallAheadMs) as EpochMs };
  }

  #at(index: number): NodeFixture {
    return this.nodes[index] as NodeFixture;
  }

  #isRunning({ alive, frozenAt }: NodeFixture): boolean {
    return alive && frozenAt === undefined;
  }

  #nextAt(): number | undefined {
    const times = this.#flights.flatMap(({ at, to }) =>
      this.nodes.find(({ id }) => id === to)?.frozenAt === undefined ? [at] : [],
    );
    for (const node of this.nodes) {
      const due = node.core.nextDeadline();
      if (this.#isRunning(node) && due !== undefined) times.push(due);
    }
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #post(node: NodeFixture): void {
    const from = this.ids.indexOf(node.id);
    for (const effect of node.effects.slice(this.#taken.get(node) ?? 0)) {
      if (effect.type !== 'send') continue;
      const { peer: to, message } = effect;
      this.sent.set(message.type, (this.sent.get(message.type) ?? 0) + 1);
      if (this.#cuts.has(`${from}>${this.ids.indexOf(to)}`)) continue;
      this.#flights.push({
        at: this.clock.now().mono + this.delayMs,
        from: node.id,
        to,
        message: structuredClone(message),
      });
    }
    this.#taken.set(node, node.effects.length);
  }

  #deliver(): void {
    const now = this.clock.now().mono;
    const arrived = this.#flights.filter(
      ({ at, to }) => at <= now && this.nodes.find(({ id }) => id === to)?.frozenAt === undefined,
    );
    this.#flights = this.#flights.filter((flight) => !arrived.includes(flight));
    for (const { from, to, message } of arrived) {
      const index = this.ids.indexOf(to);
      if (this.#at(index).alive) this.step(index, { type: 'peer-message', peer: from, message });
      for (const twin of this.twins)
        if (twin.id === to) this.#stepTwin(twin, { type: 'peer-message', peer: from, message });
    }
  }
}
