// A registry core on a manual clock, for tests of rules in time: inputs in, effects kept, time moved by hand.

import {
  DEFAULT_LIMITS,
  type InstanceContent,
  type Limits,
  NO_METADATA,
  type ServiceKey,
  serviceKey,
} from '@rollcall/protocol';
import { ManualClock } from '@rollcall/runtime/testing';
import type { Actor } from '../core/actor.js';
import { type CoreSettings, DEFAULT_CORE_SETTINGS } from '../core/core-settings.js';
import type { Effect } from '../core/effect.js';
import { type Address, addressOf } from '../core/instance-address.js';
import type { JournalEntry } from '../core/journal-entry.js';
import { RegistryCore } from '../core/registry-core.js';
import type { RegistryEvent } from '../core/registry-event.js';
import { BeatPlace, type RegistryInput, type ResultOf } from '../core/registry-input.js';

/** Actor of all inputs of a fixture. */
export const TESTER: Actor = { via: 'http-v1', address: '127.0.0.1' };

/** A content that says nothing special, with some fields changed. */
export function contentOf(fields: Partial<InstanceContent> = {}): InstanceContent {
  return { weight: 1, enabled: true, healthy: true, metadata: NO_METADATA, app: undefined, ...fields };
}

/** Metadata from a plain object. */
export function metadataOf(entries: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(entries));
}

/** A core, its clock and what came out of it. */
export class CoreFixture {
  readonly clock: ManualClock;
  readonly core: RegistryCore;
  readonly effects: Effect[] = [];
  /** As adapters keep them: one for each beat that comes again. */
  readonly #places = new Map<string, BeatPlace>();

  constructor(options: { settings?: Partial<CoreSettings>; limits?: Partial<Limits>; wall?: number } = {}) {
    this.clock = new ManualClock(options.wall);
    this.core = new RegistryCore({
      sink: (effect) => this.effects.push(effect),
      settings: { ...DEFAULT_CORE_SETTINGS, ...options.settings },
      limits: { ...DEFAULT_LIMITS, ...options.limits },
    });
  }

  /** Feeds one input at the present time. */
  step<I extends RegistryInput>(input: I): ResultOf<I> {
    return this.core.step(input, this.clock.now());
  }

  /** Moves time, stopping at each deadline on the way as the app's timer would. */
  advance(ms: number): void {
    const end = this.clock.now().mono + ms;
    for (let due = this.core.nextDeadline(); due !== undefined && due <= end; due = this.core.nextDeadline()) {
      this.clock.advance(Math.max(0, due - this.clock.now().mono));
      this.step({ type: 'tick' });
    }
    this.clock.advance(end - this.clock.now().mono);
  }

  /** Registers an HTTP instance in `service`. */
  register(service: ServiceKey, address: Address, content: Partial<InstanceContent> = {}): void {
    this.step({ type: 'register', service, address, content: contentOf(content), kindRule: 'mixed', actor: TESTER });
  }

  /** Ends an HTTP registration. */
  deregister(service: ServiceKey, address: Address): void {
    this.step({ type: 'deregister', service, address, actor: TESTER });
  }

  /** A light beat, or a full one when there is a content. */
  beat(service: ServiceKey, address: Address, content?: Partial<InstanceContent>) {
    const key = `${service.id} ${address.key}`;
    const place = this.#places.get(key) ?? new BeatPlace();
    this.#places.set(key, place);
    return this.step({
      type: 'beat',
      service,
      address,
      content: content === undefined ? undefined : contentOf(content),
      actor: TESTER,
      place,
    });
  }

  /** `ip:port/cluster` of all hosts with a `-` in front of the unhealthy ones; undefined for an unknown service. */
  list(service: ServiceKey): string[] | undefined {
    return this.core
      .view(service.id)
      ?.hosts.map((host) => `${host.healthy ? '' : '-'}${host.ip}:${host.port}/${host.cluster}`);
  }

  /** Events so far, by type. */
  events(type: RegistryEvent['type']): RegistryEvent[] {
    return this.effects.flatMap((effect) =>
      effect.type === 'event' && effect.event.type === type ? [effect.event] : [],
    );
  }

  /** Journal so far. */
  journal(): JournalEntry[] {
    return this.effects.flatMap((effect) => (effect.type === 'journal' ? [effect.entry] : []));
  }

  /** Pushes so far. */
  pushes(): Extract<Effect, { type: 'push' }>[] {
    return this.effects.filter((effect) => effect.type === 'push');
  }
}

/** A service of the default group in `public`. */
export function serviceOf(name: string): ServiceKey {
  return serviceKey('public', 'DEFAULT_GROUP', name);
}

/** `10.0.0.<n>:8080` in a cluster. */
export function hostOf(n: number, cluster = 'DEFAULT'): Address {
  return addressOf(`10.0.0.${n}`, 8080, cluster);
}
