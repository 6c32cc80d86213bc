// A core on a manual clock, with a server that a test answers for, call by call.

import { serviceKey } from '@rollcall/protocol';
import { ManualClock } from '@rollcall/runtime/testing';
import { ClientCore } from './client-core.js';
import type { CallEffect, ClientEffect } from './client-effect.js';
import { ClientError, type ClientErrorCode } from './client-error.js';
import type { ClientInput, DeregisterInput, OpenedInput } from './client-input.js';
import { type CoreSettings, DEFAULT_CORE_SETTINGS } from './core-context.js';
import { type InstanceOptions, registeredInstance } from './instance.js';
import type { BeatAnswer, CallAnswers, RegistryCall } from './registry-call.js';
import { serviceListOf } from './service-list.js';

export const ORDERS = serviceKey('public', 'DEFAULT_GROUP', 'orders');

/** Hosts as `ip:port`, or with more members. */
export type HostText = string | Record<string, unknown>;

export function listOf(hosts: readonly HostText[], members: Record<string, unknown> = {}) {
  const full = hosts.map((host) => (typeof host === 'string' ? { ip: host, port: 80 } : { port: 80, ...host }));
  const value = { name: ORDERS.grouped, cacheMillis: 10_000, lastRefTime: 1, hosts: full, ...members };
  return { list: serviceListOf(value), text: JSON.stringify(value) };
}

/** A core under test. */
export class CoreHarness {
  readonly clock = new ManualClock();
  readonly effects: ClientEffect[] = [];
  readonly core: ClientCore;
  #operation = 0;

  constructor(
    settings: Partial<CoreSettings> = {},
    random: () => number = () => 0,
    keeping: OpenedInput['keeping'] | 'unknown' = 'beats',
  ) {
    this.core = new ClientCore({
      sink: (effect) => this.effects.push(effect),
      settings: { ...DEFAULT_CORE_SETTINGS, ...settings },
      random,
    });
    if (keeping !== 'unknown') this.step({ type: 'opened', keeping });
  }

  /** Milliseconds since the start. */
  get nowMs(): number {
    return this.clock.now().mono;
  }

  step(input: ClientInput): void {
    this.core.step(input, this.clock.now());
  }

  register(options: Partial<InstanceOptions> = {}): number {
    const operation = ++this.#operation;
    const instance = registeredInstance({ ip: '10.0.0.1', port: 8080, ...options });
    this.step({ type: 'register', operation, service: ORDERS, instance });
    return operation;
  }

  deregister(options: Partial<DeregisterInput> = {}): number {
    const operation = ++this.#operation;
    const instance = registeredInstance({ ip: '10.0.0.1', port: 8080 });
    this.step({ type: 'deregister', operation, service: ORDERS, instance, awaitSubscribersMs: 0, ...options });
    return operation;
  }

  /** Moves on, waking the core at each of its deadlines. */
  advance(ms: number): void {
    const end = this.nowMs + ms;
    for (;;) {
      const next = this.core.nextDeadline();
      if (next === undefined || next > end) break;
      this.clock.advance(Math.max(0, next - this.nowMs));
      this.step({ type: 'woken' });
    }
    this.clock.advance(end - this.nowMs);
  }

  /** Takes the calls sent since the last look. */
  calls(): CallEffect[] {
    const calls = this.effects.filter((effect) => effect.type === 'call');
    this.#drop('call');
    return calls;
  }

  /** Types of the calls sent since the last look. */
  callTypes(): string[] {
    return this.calls().map(({ call }) => (call.type === 'beat' ? `${call.form} beat` : call.type));
  }

  /** Takes the one call sent since the last look. */
  call<T extends RegistryCall['type']>(type: T): CallEffect & { call: Extract<RegistryCall, { type: T }> } {
    const calls = this.calls();
    const [only] = calls;
    if (calls.length !== 1 || only?.call.type !== type)
      throw new Error(`Expected one ${type}, found ${calls.map(({ call }) => call.type).join(', ') || 'nothing'}`);
    return only as CallEffect & { call: Extract<RegistryCall, { type: T }> };
  }

  answer<T extends RegistryCall['type']>(effect: { ticket: number; call: { type: T } }, answer: CallAnswers[T]): void {
    this.step({ type: 'called', ticket: effect.ticket, result: { type: 'answered', answer } });
  }

  fail(effect: CallEffect, code: ClientErrorCode = 'unreachable'): void {
    const error = new ClientError(code, 'scripted');
    this.step({ type: 'called', ticket: effect.ticket, result: { type: 'failed', error } });
  }

  /** Answers the one register call that was sent. */
  accept(): void {
    this.answer(this.call('register'), undefined);
  }

  /** Answers the one beat that was sent. */
  beat(answer: Partial<BeatAnswer> = {}): void {
    this.answer(this.call('beat'), { intervalMs: 5000, instance: 'known', lightBeats: true, ...answer });
  }

  list(hosts: readonly HostText[], members: Record<string, unknown> = {}, source = 's1'): void {
    this.answer(this.call('list'), { ...listOf(hosts, members), source });
  }

  push(hosts: readonly HostText[], members: Record<string, unknown> = {}, source = 's1'): void {
    this.step({ type: 'pushed', ...listOf(hosts, members), source });
  }

  /** Outcomes since the last look: `1 done`, `2 access-denied`. */
  outcomes(): string[] {
    const settled = this.effects.filter((effect) => effect.type === 'settled');
    this.#drop('settled');
    return settled.map(({ operation, outcome }) =>
      outcome.type === 'done' ? `${operation} done` : `${operation} ${outcome.error.code}`,
    );
  }

  /** Lists shown since the last look: the addresses, then what changed. */
  shown(): { ips: string[]; added: string[]; removed: string[]; modified: string[] }[] {
    const listed = this.effects.filter((effect) => effect.type === 'listed');
    this.#drop('listed');
    const ips = (instances: readonly { ip: string }[] = []) => instances.map(({ ip }) => ip);
    return listed.map(({ instances, change }) => ({
      ips: ips(instances),
      added: ips(change?.added),
      removed: ips(change?.removed),
      modified: ips(change?.modified),
    }));
  }

  /** Names of log lines so far. */
  notes(): string[] {
    return this.effects.filter((effect) => effect.type === 'note').map((effect) => effect.event);
  }

  #drop(type: ClientEffect['type']): void {
    const rest = this.effects.filter((effect) => effect.type !== type);
    this.effects.splice(0, this.effects.length, ...rest);
  }
}
