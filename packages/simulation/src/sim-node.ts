// One node: a registry core with a clock and a disk of its own, run as the app runs it. It can crash, with and without its
// disk, come back, and stand still while requests and messages wait for it.

import { DEFAULT_LIMITS } from '@rollcall/protocol';
import type { Instant, Now } from '@rollcall/runtime/time';
import {
  DEFAULT_CORE_SETTINGS,
  DEFAULT_REPLICATION_SETTINGS,
  type Effect,
  RegistryCore,
  type RegistryInput,
  type ReplicationSettings,
  type ResultOf,
  type SetId,
  type StoreChange,
} from '@rollcall/server/internal';
import type { EventQueue } from './event-queue.js';
import type { NodeClock } from './node-clock.js';
import { NodeDisk } from './node-disk.js';
import type { SimKey } from './sim-key.js';

/** What waits for a frozen node at most; a real one has a listen queue and socket buffers. */
const WAITING_MAX = 4000;
/** How much later than the rest a request is read at most: the lease that it may begin is over in the quiet time at the end. */
const LAG_MS_MAX = 20_000;
/** A process notices that it stood still when its heartbeat is late by more than this (as the app's does). */
const PAUSE_NOTICED_MS = 500;

/** What waits for a process that stands still. */
interface Waiting {
  readonly action: () => void;
  /** Virtual time at which it came. */
  readonly since: number;
  readonly lag: number;
}

/** What a process does at present. */
export type NodeState = 'running' | 'frozen' | 'down';

/** What a node needs around it. */
export interface NodeSurroundings {
  readonly queue: EventQueue;
  /** Does what the core wants done. */
  perform(node: SimNode, effect: Effect): void;
  /** Called after each step. */
  stepped(node: SimNode): void;
  /** Called when a process goes on that stood still for `ms`. */
  paused(node: SimNode, ms: number): void;
  /** Called with the core of a new run before its first input. */
  made(node: SimNode, core: RegistryCore): void;
  /** Durable records that are at hand when a run begins. */
  stored(node: SimNode, core: RegistryCore): Iterable<StoreChange>;
}

/** A node. */
export class SimNode {
  /** 0, 1, 2 ... */
  readonly index: number;
  /** `ip:port`, its id in the cluster. */
  readonly id: string;
  readonly clock: NodeClock;
  readonly disk = new NodeDisk();
  readonly #around: NodeSurroundings;
  /** How often it was started. */
  run = 0;
  state: NodeState = 'down';
  /** While down: whether its machine is there and refuses connections, or nothing answers at all. */
  refuses = true;
  #core: RegistryCore | undefined;
  #effects: Effect[] = [];
  #waiting: Waiting[] = [];
  #wakeAt: number | undefined;
  #lastMono = 0 as Instant;
  #frozenAt = 0;
  readonly #pauses: { readonly from: number; readonly to: number }[] = [];
  /** Members by its list; empty: it is alone. Takes effect at the next start or by {@link setMembers}. */
  members: readonly string[] = [];
  replication: ReplicationSettings = DEFAULT_REPLICATION_SETTINGS;

  constructor(index: number, place: { readonly id: string; readonly clock: NodeClock }, around: NodeSurroundings) {
    this.index = index;
    this.id = place.id;
    this.clock = place.clock;
    this.#around = around;
  }

  /** Whether readers get lists, not 503. */
  get answersReaders(): boolean {
    return this.state === 'running' && (this.#core?.replication?.ready ?? true);
  }

  /** Whether it has a lease over HTTP for a key, held by whatever node. */
  knows({ service, address }: SimKey): boolean {
    const record = this.#core?.instance(service.id, 'ephemeral', address.key);
    return record?.registrations.some(({ publisher }) => publisher === 'http') ?? false;
  }

  /** Whether a full beat for a key would register it here. */
  registersByBeat({ service, address }: SimKey): boolean {
    return this.#core?.replication?.mistrustsBeat(service, address) !== true;
  }

  /** The set that its present run authors. */
  get ownSet(): SetId | undefined {
    return this.#core?.replication?.members().find(({ self }) => self);
  }

  /** How long it has stood still since a virtual time, ms. */
  pausedMs(since: number): number {
    return this.#pauses.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, since)), 0);
  }

  /** Gives a running node another list. */
  setMembers(members: readonly string[]): void {
    this.members = members;
    if (this.state === 'running' && this.#core?.replication !== undefined) this.step({ type: 'members', members });
  }

  /** The core of the present run; undefined while the node is down. */
  get core(): RegistryCore | undefined {
    return this.#core;
  }

  /** Both clocks of the node. */
  get now(): Now {
    return this.clock.at(this.#around.queue.now);
  }

  /** Starts the process; what the journal holds is restored first. */
  start(): void {
    this.run += 1;
    this.state = 'running';
    const node = this.members.length === 0 ? undefined : this.#nextRun();
    this.#core = new RegistryCore({
      sink: (effect) => void this.#effects.push(effect),
      settings: DEFAULT_CORE_SETTINGS,
      limits: DEFAULT_LIMITS,
      ...(node !== undefined && { node }),
    });
    this.#around.made(this, this.#core);
    const ageMs = this.disk.writtenAt === undefined ? undefined : Math.max(0, this.now.wall - this.disk.writtenAt);
    const age = ageMs === undefined ? {} : { ageMs };
    this.step({ type: 'restore', changes: this.#around.stored(this, this.#core), entries: this.disk.entries, ...age });
    this.disk.compact(this.#core.snapshot());
    if (node !== undefined) this.step({ type: 'members', members: this.members });
  }

  #nextRun() {
    this.disk.epoch += 1;
    return {
      self: this.id,
      run: `run${this.index}-${this.run}`,
      epoch: this.disk.epoch,
      replication: this.replication,
    };
  }

  /** Ends the process at once. @param what - `process`: its machine stays and refuses connections */
  crash(what: 'process' | 'machine'): void {
    this.state = 'down';
    this.refuses = what === 'process';
    this.#core = undefined;
    this.#effects = [];
    this.#waiting = [];
    this.#wakeAt = undefined;
  }

  /** Stops the process without ending it. */
  freeze(): void {
    this.state = 'frozen';
    this.#frozenAt = this.#around.queue.now;
    this.#lastMono = this.now.mono;
  }

  /** Lets it go on: it notices the pause first, as the app does, then takes what waited. */
  thaw(): void {
    this.state = 'running';
    this.#pauses.push({ from: this.#frozenAt, to: this.#around.queue.now });
    const { mono, wall } = this.now;
    const pausedMs = mono - this.#lastMono;
    if (pausedMs > PAUSE_NOTICED_MS) {
      // What was due at the very instant at which it stopped happens before the pause.
      this.#stepAt({ type: 'paused', ms: pausedMs }, { mono: this.#lastMono, wall });
      this.#around.paused(this, pausedMs);
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { action, since, lag } of waiting) {
      if (lag === 0) action();
      else this.#deliverLater(action, Math.min(LAG_MS_MAX, lag * (this.#around.queue.now - since)));
    }
    this.step({ type: 'tick' });
  }

  /** It found no room in the sockets of the process and was sent again, unless that has ended meanwhile. */
  #deliverLater(action: () => void, afterMs: number): void {
    const { run } = this;
    this.#around.queue.after(Math.ceil(afterMs), () => {
      if (this.run === run) this.deliver(action);
    });
  }

  /**
   * Something reaches the process: now, when it goes on, or never.
   *
   * @param lag - when it waits for a frozen process: share of its wait by which it comes later still, 0 by default
   * @returns false when there is no process that could take it
   */
  deliver(action: () => void, lag = 0): boolean {
    if (this.state === 'down') return false;
    if (this.state === 'running') action();
    else if (this.#waiting.length < WAITING_MAX) this.#waiting.push({ action, since: this.#around.queue.now, lag });
    return true;
  }

  /** Feeds an input to the core of a running node. */
  step<I extends RegistryInput>(input: I): ResultOf<I> {
    return this.#stepAt(input, this.now);
  }

  #stepAt<I extends RegistryInput>(input: I, now: Now): ResultOf<I> {
    const core = this.#core;
    if (core === undefined || this.state !== 'running')
      throw new Error(`Node ${this.id} cannot step: it is ${this.state}`);
    try {
      return core.step(input, now);
    } finally {
      const effects = this.#effects;
      this.#effects = [];
      for (const effect of effects) this.#around.perform(this, effect);
      this.#around.stepped(this);
      this.#arm(core);
    }
  }

  /** One event for the next deadline; one that became later than it was finds nothing due and arms again. */
  #arm(core: RegistryCore): void {
    const due = core.nextDeadline();
    if (due === undefined) return;
    const { queue } = this.#around;
    const at = Math.max(this.clock.virtualOf(due), queue.now);
    if (this.#wakeAt !== undefined && this.#wakeAt <= at) return;
    this.#wakeAt = at;
    queue.at(at, () => {
      if (this.#core !== core || this.#wakeAt !== at) return;
      this.#wakeAt = undefined;
      if (this.state === 'running') this.step({ type: 'tick' });
    });
  }
}
