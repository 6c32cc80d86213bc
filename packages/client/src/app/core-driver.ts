// Drives the core: gives it inputs with the time, keeps the one timer for its next deadline, and performs its effects in
// order. Effects are performed after a step, so that a listener may call the client again.

import type { Clock, TimerHandle, Timers } from '@rollcall/runtime';
import type { Transport } from '../adapters/transport.js';
import { ClientCore } from '../core/client-core.js';
import type {
  CallEffect,
  ClientEffect,
  KeepEffect,
  ListedEffect,
  NoteEffect,
  SettledEffect,
} from '../core/client-effect.js';
import { clientErrorOf } from '../core/client-error.js';
import type { ClientInput } from '../core/client-input.js';
import type { CoreSettings } from '../core/core-context.js';

/** Who performs the effects that are no calls. */
export interface EffectPerformer {
  settled(effect: SettledEffect): void;
  listed(effect: ListedEffect): void;
  keep(effect: KeepEffect): void;
  noted(effect: NoteEffect): void;
}

/** What the driver needs. */
export interface CoreDriverOptions {
  readonly settings: CoreSettings;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly transport: Transport;
  readonly performer: EffectPerformer;
  /** Longest time for a call of the core, ms. */
  readonly callTimeoutMs: number;
}

/** The core is woken up to this much later, ms, so that what is due at nearly the same time goes out together. */
const WAKE_GRID_MS = 25;

/** The core at work. */
export class CoreDriver {
  readonly core: ClientCore;
  readonly #options: CoreDriverOptions;
  readonly #effects: ClientEffect[] = [];
  #performing = false;
  #timer: { readonly handle: TimerHandle; readonly at: number } | undefined;
  #stopped = false;

  /** @param options - see there */
  constructor(options: CoreDriverOptions) {
    this.#options = options;
    const { settings, random } = options;
    this.core = new ClientCore({ settings, random, sink: (effect) => this.#effects.push(effect) });
  }

  /** Gives the core an input and performs what it wants. */
  step(input: ClientInput): void {
    if (this.#stopped) return;
    this.core.step(input, this.#options.clock.now());
    this.#perform();
    this.#armTimer();
  }

  /** No more steps; the timer is off. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.handle.cancel();
    this.#effects.length = 0;
  }

  #perform(): void {
    if (this.#performing) return;
    this.#performing = true;
    try {
      for (let effect = this.#effects.shift(); effect !== undefined; effect = this.#effects.shift()) this.#do(effect);
    } finally {
      this.#performing = false;
    }
  }

  #do(effect: ClientEffect): void {
    const { performer } = this.#options;
    switch (effect.type) {
      case 'call':
        void this.#call(effect);
        break;
      case 'settled':
        performer.settled(effect);
        break;
      case 'listed':
        performer.listed(effect);
        break;
      case 'keep':
        performer.keep(effect);
        break;
      case 'note':
        performer.noted(effect);
        break;
    }
  }

  async #call({ ticket, call }: CallEffect): Promise<void> {
    const { transport, callTimeoutMs } = this.#options;
    const waitMs = call.type === 'deregister' ? call.awaitSubscribersMs : 0;
    try {
      const answer = await transport.call(call, { timeoutMs: callTimeoutMs + waitMs });
      this.step({ type: 'called', ticket, result: { type: 'answered', answer } });
    } catch (error) {
      this.step({ type: 'called', ticket, result: { type: 'failed', error: clientErrorOf(error) } });
    }
  }

  #armTimer(): void {
    const next = this.core.nextDeadline();
    if (next === this.#timer?.at) return;
    this.#timer?.handle.cancel();
    this.#timer = undefined;
    if (next === undefined || this.#stopped) return;
    const wakeAt = Math.ceil(next / WAKE_GRID_MS) * WAKE_GRID_MS;
    const delayMs = Math.max(0, wakeAt - this.#options.clock.now().mono);
    const handle = this.#options.timers.once(delayMs, () => {
      this.#timer = undefined;
      this.step({ type: 'woken' });
    });
    this.#timer = { handle, at: next };
  }
}
