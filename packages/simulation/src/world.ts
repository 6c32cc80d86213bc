// One history's world: virtual time, network, nodes, clients' writes, and everybody who watches. It holds no rules of its
// own; faults and clients act on it, checkers look at it.

import {
  DEFAULT_REPLICATION_SETTINGS,
  type Effect,
  type RegistryCore,
  type RegistryEvent,
  type ReplicationSettings,
} from '@rollcall/server/internal';
import type { Checker, PushSent, ViewChange } from './checkers/checker.js';
import { EditLog } from './edit-log.js';
import { EventQueue } from './event-queue.js';
import { type ClockFault, NodeClock } from './node-clock.js';
import type { Arrival, Operation } from './operation.js';
import { OperationLog } from './operation-log.js';
import { PacketNetwork } from './packet-network.js';
import { PeerTraffic } from './peer-traffic.js';
import { SeededRandom } from './seeded-random.js';
import { SetMirror } from './set-mirror.js';
import { makeKeys, type SimKey } from './sim-key.js';
import { SimNode } from './sim-node.js';
import { SharedStores } from './store/shared-stores.js';
import { Trace, type TraceMode } from './trace.js';
import { ViewWatch } from './view-watch.js';

/** Steps between two looks of the checkers that are dear. */
const STEPS_PER_SAMPLE = 64;

/** What a world is made from. */
export interface WorldShape {
  readonly seed: number;
  readonly keyCount: number;
  /** One for each node. */
  readonly clocks: readonly ClockFault[];
  /** Settings of replication; default: those of a cluster that is not configured otherwise. */
  readonly replication?: Partial<ReplicationSettings>;
  readonly traceMode: TraceMode;
  /** Default: there is none. */
  readonly store?: 'shared' | undefined;
}

/** Takes the pushes of one connection. */
export interface PushReceiver {
  readonly machine: string;
  receivePush(push: Extract<Effect, { type: 'push' }>): void;
}

/** The world of a history. */
export class World {
  readonly queue = new EventQueue();
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly network: PacketNetwork;
  readonly log = new OperationLog();
  readonly keys: readonly SimKey[];
  readonly nodes: readonly SimNode[];
  readonly views: ViewWatch;
  /** What nodes have told each other of their sets. */
  readonly mirror = new SetMirror();
  readonly traffic: PeerTraffic;
  /** Connections by id, as long as their client uses them. */
  readonly receivers = new Map<string, PushReceiver>();
  readonly checkers: Checker[] = [];
  /** Operators' edits. */
  readonly edits = new EditLog();
  /** The store that the nodes share; undefined without one. */
  readonly stores: SharedStores | undefined;
  /** Told when a node has made its core, before its first input. */
  readonly startListeners: ((node: SimNode, core: RegistryCore) => void)[] = [];
  /** Told when the process of a node ends. */
  readonly crashListeners: ((node: SimNode) => void)[] = [];
  readonly #keysByPlace: ReadonlyMap<string, SimKey>;
  #steps = 0;

  constructor({ seed, keyCount, clocks, traceMode, replication, store }: WorldShape) {
    this.random = new SeededRandom(seed, 'world');
    this.trace = new Trace(traceMode);
    this.network = new PacketNetwork(this.queue, this.random.fork('network'));
    this.keys = makeKeys(keyCount);
    this.#keysByPlace = new Map(this.keys.map((key) => [`${key.service.id}/${key.address.key}`, key]));
    this.views = new ViewWatch(this.keys, (change) => this.#viewChanged(change));
    this.nodes = clocks.map((fault, index) => this.#makeNode(fault, index));
    if (clocks.length > 1) for (const node of this.nodes) node.members = this.nodes.map(({ id }) => id);
    for (const node of this.nodes) node.replication = { ...DEFAULT_REPLICATION_SETTINGS, ...replication };
    this.traffic = new PeerTraffic(this);
    this.stores = store === undefined ? undefined : this.#makeStores();
    this.noteClocks();
  }

  /** Nodes whose process runs. */
  get running(): SimNode[] {
    return this.nodes.filter(({ state }) => state === 'running');
  }

  /** Virtual time, ms. */
  get now(): number {
    return this.queue.now;
  }

  /** Lets time pass. @param end - virtual time, ms */
  async runUntil(end: number): Promise<void> {
    const { stores } = this;
    if (stores === undefined) this.queue.runUntil(end);
    else await this.queue.runUntilSettled(end, () => stores.work.settle());
  }

  /** Steps of all nodes so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Must be called after any clock was set. */
  noteClocks(): void {
    for (const { clock } of this.nodes) this.log.skewMs = Math.max(this.log.skewMs, clock.skewMs(this.now));
  }

  /** A node is about to take a write. */
  arrive(operation: Operation, node: SimNode): Arrival {
    const basis = this.views.shown(node, operation.key)?.operation;
    const arrival = this.log.arrive(operation, { node: node.index, run: node.run, at: this.now, basis });
    for (const checker of this.checkers) checker.onArrival?.(operation, node.index, node.run);
    return arrival;
  }

  /** An operator edits an instance at a node, as the app does it: what the store has taken is told to the core. */
  edit(node: SimNode, key: SimKey, does: 'set-weight' | 'take-back'): void {
    if (!node.answersReaders || this.views.shown(node, key) === undefined) return;
    const weight = does === 'set-weight' ? this.edits.nextWeight : undefined;
    const edit = this.edits.take({ key, weight, node: node.index, run: node.run, at: this.now });
    for (const checker of this.checkers) checker.onEdit?.(edit);
    const value = weight === undefined ? undefined : { weight };
    const change = { type: 'edit', service: key.service, kind: 'ephemeral', address: key.address, value } as const;
    node.disk.store(change);
    node.step({ type: 'store', changes: [change], actor: { via: 'operator' } });
  }

  /** A node has taken a sign of life for a key that it knows. What ended at that instant had ended before it came. */
  showLife(key: SimKey, node: SimNode): void {
    const sign = { node: node.index, run: node.run, key, mono: node.now.mono };
    for (const checker of this.checkers) checker.onSignOfLife?.(sign);
  }

  /** The process of a node has ended. @param disk - whether what it wrote is still there */
  crashed(node: SimNode, disk: 'kept' | 'lost'): void {
    this.views.forget(node);
    this.network.closeConnections(node.id);
    this.stores?.crashed(node);
    // A journal keeps what was registered, not that something was taken away. In a cluster what one node alone has had may
    // be lost with its process all the same (B8): what the others have goes before a journal.
    const isKept = disk === 'kept' && this.nodes.length === 1;
    this.log.forgetCarrier(node.index, ({ content }) => isKept && content !== undefined);
    if (!isKept) this.edits.forgetCarrier(node.index);
    for (const listener of this.crashListeners) listener(node);
  }

  /** A process with the address of a node and nothing else of it; it serves no clients. */
  makeTwin({ id, members, replication }: SimNode): SimNode {
    const clock = new NodeClock({ startMs: 0, driftPpm: 0, offsetMs: 0 });
    const twin = new SimNode(this.nodes.length, { id, clock }, this.#surroundings());
    twin.members = members;
    twin.replication = replication;
    this.traffic.twin = twin;
    return twin;
  }

  /** The key that something is about; undefined for a place at which no client is. */
  keyAt({ service, address }: Pick<SimKey, 'service' | 'address'>): SimKey | undefined {
    return this.#keysByPlace.get(`${service.id}/${address.key}`);
  }

  /** How long a node has stood still since a virtual time, ms. */
  pausedMs(node: number, since: number): number {
    return this.nodes[node]?.pausedMs(since) ?? 0;
  }

  #makeStores(): SharedStores {
    const { queue, trace, checkers } = this;
    return new SharedStores({ queue, trace, checkers, random: this.random.fork('store') });
  }

  #makeNode(fault: ClockFault, index: number): SimNode {
    const place = { id: `10.0.0.${index + 1}:8848`, clock: new NodeClock(fault) };
    return new SimNode(index, place, this.#surroundings());
  }

  #surroundings() {
    return {
      queue: this.queue,
      perform: (node: SimNode, effect: Effect) => this.#perform(node, effect),
      stepped: (node: SimNode) => this.#stepped(node),
      paused: (node: SimNode, ms: number) => {
        for (const checker of this.checkers) checker.onPause?.(node.index, node.run, ms);
      },
      made: (node: SimNode, core: RegistryCore) => {
        for (const listener of this.startListeners) listener(node, core);
      },
      stored: (node: SimNode, core: RegistryCore) => this.stores?.start(node, core) ?? node.disk.stored,
    };
  }

  #stepped(node: SimNode): void {
    this.#steps += 1;
    if (node.answersReaders && this.nodes[node.index] === node) this.views.look(node, this.now);
    if (this.#steps % STEPS_PER_SAMPLE === 0) for (const checker of this.checkers) checker.onSample?.();
  }

  #perform(node: SimNode, effect: Effect): void {
    switch (effect.type) {
      case 'journal':
        node.disk.append(effect.entry, node.now.wall);
        break;
      case 'send':
        this.traffic.send(node, effect.peer, effect.message);
        break;
      case 'persist-epoch':
        node.disk.epoch = effect.epoch;
        break;
      case 'member-changed':
        this.trace.tell(this.now, () => `node ${node.index} finds ${effect.node} ${effect.state}`);
        this.trace.note(this.now, `member ${node.index} ${effect.node} ${effect.state}`);
        for (const checker of this.checkers) checker.onMember?.(node.index, effect.node, effect.state);
        break;
      case 'alarm':
        this.trace.tell(this.now, () => `node ${node.index} alarms: ${effect.text}`);
        for (const checker of this.checkers) checker.onAlarm?.(node.index, effect.kind, effect.text);
        if (effect.stop) this.queue.after(0, () => this.#stopAlarmed(node));
        break;
      case 'event':
        this.#carryRemovals(node.index, effect.event);
        for (const checker of this.checkers) checker.onEvent?.(node.index, node.run, effect.event);
        break;
      case 'push':
        this.#push(node, effect);
        break;
      case 'forget':
      case 'keep':
        if (this.stores !== undefined) this.stores.perform(node, effect);
        else node.disk.store(effect.change);
        break;
      case 'server-event':
      case 'subscribers-awaited':
        break;
    }
  }

  /** As the app does when the core says that this process must end. */
  #stopAlarmed(node: SimNode): void {
    if (node.state !== 'running') return;
    node.crash('process');
    if (this.nodes[node.index] === node) this.crashed(node, 'kept');
  }

  #push(node: SimNode, effect: Extract<Effect, { type: 'push' }>): void {
    const { subscriber, view, number } = effect;
    const receiver = this.receivers.get(subscriber.connection);
    const push: PushSent = {
      at: this.now,
      node: node.index,
      run: node.run,
      mono: node.now.mono,
      service: view.key.id,
      subscriber: subscriber.connection,
      number,
    };
    this.trace.note(this.now, `push ${node.index} ${push.service} ${number} ${view.hosts.length}`);
    for (const checker of this.checkers) checker.onPush?.(push);
    if (receiver === undefined) return;
    const packet = { from: node.id, to: receiver.machine, bytes: 100 * view.hosts.length, delivery: 'stream' } as const;
    this.network.send(packet, () => receiver.receivePush(effect));
  }

  /** What a node shows it has, and may tell others. */
  #carry({ node, after }: ViewChange): void {
    this.log.carry(this.log.find(after?.operation), node);
    const edit = this.edits.ofWeight(after?.weight);
    if (edit !== undefined && !edit.lost) edit.carriers.add(node);
  }

  /** What a node no longer shows because of a deregistration, it has heard of. */
  #carryRemovals(node: number, event: RegistryEvent): void {
    if (event.type !== 'instance-removed' || event.cause !== 'deregistered') return;
    const key = this.keyAt(event);
    if (key === undefined) return;
    for (const operation of this.log.of(key)) if (operation.content === undefined) this.log.carry(operation, node);
  }

  #viewChanged(change: ViewChange): void {
    const { node, key, before, after } = change;
    this.trace.noteView(change.at, `view ${node} ${key.index} ${after?.operation} ${after?.healthy} ${after?.weight}`);
    this.trace.tell(change.at, () => `node ${node} shows ${nameOf(key)}: ${shownText(before)} -> ${shownText(after)}`);
    this.#carry(change);
    for (const checker of this.checkers) checker.onView?.(change);
  }
}

/** Name of a key in stories and messages. */
export function nameOf(key: SimKey): string {
  return `k${key.index} (${key.service.name} ${key.address.ip})`;
}

/** What readers see of a key, in words. */
export function shownText(shown: ViewChange['after']): string {
  if (shown === undefined) return 'absent';
  return `${shown.operation ?? 'no write of ours'}${shown.healthy ? '' : ' unhealthy'}`;
}
