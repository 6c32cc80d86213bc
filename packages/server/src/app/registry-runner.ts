// Runs the core: gives it the time, performs its effects, owns its timer, and lets durable changes enter.
// Effects are performed after the step that caused them, so that nothing which fails there can leave the core half-way.

import type { Limits, RegistryError, ServiceKey } from '@rollcall/protocol';
import type { Clock, Instant, Logger, Now, Timers } from '@rollcall/runtime';
import type { AwaitedSubscribers, RegistryAccess } from '../adapters/registry-access.js';
import type { RegistryEvents, ServerEvents } from '../adapters/registry-events.js';
import type { DurableStore } from '../adapters/store/durable-store.js';
import type { Actor } from '../core/actor.js';
import type { CoreSettings } from '../core/core-settings.js';
import type { Effect } from '../core/effect.js';
import type { JournalEntry } from '../core/journal-entry.js';
import { RegistryCore } from '../core/registry-core.js';
import type { RegistryEvent, ServerEvent } from '../core/registry-event.js';
import type { RegistryInput, ResultOf } from '../core/registry-input.js';
import type { ClusterNode } from '../core/replication/cluster-state.js';
import type { StoreChange } from '../core/store-change.js';
import { DurableCommits, FROM_OTHER_NODE } from './durable-commits.js';
import { PauseWatch } from './pause-watch.js';
import type { ClusterEffect } from './server-cluster.js';
import { StepTimer } from './step-timer.js';

/** A push that the core wants sent. */
type PushEffect = Extract<Effect, { type: 'push' }>;

/** What the runner works with. */
export interface RunnerOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly settings: CoreSettings;
  readonly limits: Limits;
  /** Writes durable changes, and tells them and those of other nodes. */
  readonly store: Pick<DurableStore, 'follow' | 'laneOf' | 'commit'>;
  /** Takes changes of ephemeral membership in order. */
  readonly journal: {
    append(entry: JournalEntry): void;
    afterFlush(callback: (error?: RegistryError) => void): void;
  };
  /** This server as one of several; undefined for a server alone. */
  readonly cluster?: { readonly node: ClusterNode; perform(effect: ClusterEffect): void } | undefined;
  /** Sends a push. */
  readonly push: (push: PushEffect) => void;
}

/** The running registry. */
export class RegistryRunner implements RegistryAccess, RegistryEvents, ServerEvents {
  readonly core: RegistryCore;
  readonly #options: RunnerOptions;
  readonly #commits: DurableCommits;
  readonly #timer: StepTimer;
  readonly #pauseWatch: PauseWatch;
  readonly #listeners = new Set<(event: RegistryEvent) => void>();
  readonly #serverListeners = new Set<(event: ServerEvent) => void>();
  readonly #waits = new Map<number, (result: AwaitedSubscribers) => void>();
  #effects: Effect[] = [];
  #lastStep = 0 as Instant;
  #lastWait = 0;
  #running = false;
  #performing = false;

  constructor(options: RunnerOptions) {
    const { clock, timers, settings, limits, store, logger } = options;
    this.#options = options;
    const sink = (effect: Effect) => void this.#effects.push(effect);
    const { cluster } = options;
    this.core = new RegistryCore({ sink, settings, limits, ...(cluster !== undefined && { node: cluster.node }) });
    this.#commits = new DurableCommits({ core: this.core, store, logger });
    store.follow((changes, actor) => {
      if (actor !== FROM_OTHER_NODE) this.step({ type: 'store', changes, actor });
    });
    this.#pauseWatch = new PauseWatch(clock, timers);
    this.#timer = new StepTimer({
      clock,
      timers,
      nextDeadline: () => this.core.nextDeadline(),
      onDue: () => void this.step({ type: 'tick' }),
    });
  }

  /** Starts time: deadlines are met from now on. Before it, only inputs move the core (restoring does). */
  start(): void {
    this.#running = true;
    this.#pauseWatch.start(() => this.#noticePause(this.now()));
    this.#timer.arm();
  }

  /** Stops time and waits for durable changes under way. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#pauseWatch.stop();
    this.#timer.cancel();
    await this.#commits.settled();
  }

  now(): Now {
    return this.#options.clock.now();
  }

  step<I extends RegistryInput>(input: I): ResultOf<I> {
    const now = this.now();
    this.#noticePause(now);
    return this.#stepAt(input, now);
  }

  afterJournal(callback: (error?: RegistryError) => void): void {
    this.#options.journal.afterFlush(callback);
  }

  onEvent(listener: (event: RegistryEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  onServerEvent(listener: (event: ServerEvent) => void): () => void {
    this.#serverListeners.add(listener);
    return () => void this.#serverListeners.delete(listener);
  }

  awaitSubscribers(service: ServiceKey, waitMs: number): Promise<AwaitedSubscribers> {
    this.#lastWait += 1;
    const id = this.#lastWait;
    return new Promise((resolve) => {
      this.#waits.set(id, resolve);
      this.step({ type: 'await-subscribers', service, id, waitMs });
    });
  }

  commit(actor: Actor, plan: (core: RegistryCore) => readonly StoreChange[]): Promise<void> {
    return this.#commits.commit(actor, plan);
  }

  #noticePause(now: Now): void {
    const pause = this.#pauseWatch.findPause(now.mono, this.#lastStep);
    if (pause === undefined) return;
    const { since, ms } = pause;
    this.#options.logger.log('warn', 'process-paused', { ms });
    // The pause enters at the moment at which it began: what became due during it must not happen first.
    this.#stepAt({ type: 'paused', ms }, { mono: since, wall: now.wall });
  }

  #stepAt<I extends RegistryInput>(input: I, now: Now): ResultOf<I> {
    this.#lastStep = now.mono;
    try {
      return this.core.step(input, now);
    } finally {
      if (this.#effects.length > 0) this.#performEffects();
      if (this.#running) this.#timer.arm();
    }
  }

  // A step made while effects are performed leaves its own behind those that wait, so that their order is that of steps.
  #performEffects(): void {
    if (this.#performing) return;
    this.#performing = true;
    while (this.#effects.length > 0) {
      const effects = this.#effects;
      this.#effects = [];
      for (const effect of effects) {
        try {
          this.#perform(effect);
        } catch (error) {
          this.#options.logger.log('error', 'effect-failed', { type: effect.type, error: String(error) });
        }
      }
    }
    this.#performing = false;
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'journal':
        this.#options.journal.append(effect.entry);
        break;
      case 'event':
        this.#tell(this.#listeners, effect.event);
        break;
      case 'server-event':
        this.#tell(this.#serverListeners, effect.event);
        break;
      case 'push':
        this.#options.push(effect);
        break;
      case 'forget':
        this.#commits.forget(effect.change);
        break;
      case 'keep':
        this.#commits.keep(effect.change);
        break;
      case 'send':
      case 'member-changed':
      case 'persist-epoch':
      case 'alarm':
        this.#options.cluster?.perform(effect);
        break;
      case 'subscribers-awaited':
        this.#waits.get(effect.id)?.(effect);
        this.#waits.delete(effect.id);
        break;
    }
  }

  #tell<E extends { readonly type: string }>(listeners: Iterable<(event: E) => void>, event: E): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#options.logger.log('error', 'event-listener-failed', { type: event.type, error: String(error) });
      }
    }
  }
}
