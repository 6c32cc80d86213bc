// The core against a dumb model: any sequence of inputs and time steps leads to the list that the model says. The model
// keeps plain records and looks at all of them at every moment; the core must agree without ever scanning.

import type { ServiceKey } from '@rollcall/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CoreFixture, contentOf, hostOf, metadataOf, serviceOf } from '../../src/testing/core-fixture.js';

const services = ['a', 'b'].map(serviceOf);
const connections = ['c1', 'c2'];

/** A command on one instance. */
type HostCommand =
  | {
      readonly do: 'register' | 'beat' | 'full-beat' | 'deregister';
      readonly service: number;
      readonly host: number;
      readonly healthy: boolean;
      readonly times: number;
    }
  | { readonly do: 'persist' | 'unpersist'; readonly service: number; readonly host: number };

type Command =
  | HostCommand
  | { readonly do: 'publish'; readonly service: number; readonly connection: number; readonly hosts: readonly number[] }
  | { readonly do: 'close'; readonly connection: number }
  | { readonly do: 'pass'; readonly ms: number };

/** Lease durations that commands choose from: defaults, short ones, and a delete timeout below the beat timeout. */
const TIMES = [
  { unhealthy: 15_000, removed: 30_000, metadata: metadataOf({}) },
  {
    unhealthy: 3000,
    removed: 6000,
    metadata: metadataOf({ 'preserved.heart.beat.timeout': '3000', 'preserved.ip.delete.timeout': '6000' }),
  },
  { unhealthy: 15_000, removed: 2000, metadata: metadataOf({ 'preserved.ip.delete.timeout': '2000' }) },
];

interface Claim {
  readonly sequence: number;
  readonly publisher: string;
  lastBeat: number;
  healthy: boolean;
  readonly wanted: boolean;
  readonly unhealthyMs: number;
  readonly removedMs: number;
}

/** Everything that is registered, as plain records; time is looked at, nothing is queued. */
class Model {
  now = 0;
  #sequence = 0;
  readonly #claims = new Map<string, Claim[]>();

  put(instance: string, publisher: string, healthy: boolean, times = TIMES[0]): void {
    this.drop(instance, publisher);
    const claims = this.#claims.get(instance) ?? [];
    this.#sequence += 1;
    claims.push({
      sequence: this.#sequence,
      publisher,
      lastBeat: this.now,
      healthy,
      wanted: healthy,
      unhealthyMs: times?.unhealthy ?? 0,
      removedMs: times?.removed ?? 0,
    });
    this.#claims.set(instance, claims);
  }

  drop(instance: string, publisher: string): void {
    const rest = (this.#claims.get(instance) ?? []).filter((claim) => claim.publisher !== publisher);
    if (rest.length > 0) this.#claims.set(instance, rest);
    else this.#claims.delete(instance);
  }

  beat(instance: string): boolean {
    const claim = this.#claims.get(instance)?.find(({ publisher }) => publisher === 'http');
    if (claim === undefined) return false;
    claim.lastBeat = this.now;
    claim.healthy = true;
    return true;
  }

  close(connection: string): void {
    for (const instance of [...this.#claims.keys()]) this.drop(instance, connection);
  }

  publishedBy(connection: string, service: string): string[] {
    return [...this.#claims]
      .filter(
        ([instance, claims]) => instance.startsWith(service) && claims.some((claim) => claim.publisher === connection),
      )
      .map(([instance]) => instance);
  }

  pass(ms: number): void {
    const end = this.now + ms;
    for (; this.now < end; this.now += 500) this.#expire();
    this.now = end;
    this.#expire();
  }

  list(service: string): string[] {
    return [...this.#claims]
      .filter(([instance]) => instance.startsWith(service))
      .map(([instance, claims]) => `${this.#healthy(claims) ? '' : '-'}${instance}`)
      .sort();
  }

  #healthy(claims: readonly Claim[]): boolean {
    const newest = claims.reduce((a, b) => (a.sequence > b.sequence ? a : b));
    return newest.healthy || (newest.wanted && claims.some((claim) => claim.healthy));
  }

  #expire(): void {
    for (const [instance, claims] of [...this.#claims])
      for (const claim of claims) {
        if (claim.publisher !== 'http') continue;
        if (this.now - claim.lastBeat >= claim.removedMs) this.drop(instance, 'http');
        else if (this.now - claim.lastBeat >= claim.unhealthyMs) claim.healthy = false;
      }
  }
}

const on = { service: fc.nat(1), host: fc.integer({ min: 1, max: 3 }) };
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constantFrom('register', 'beat', 'full-beat', 'deregister'),
    ...on,
    healthy: fc.boolean(),
    times: fc.nat(2),
  }),
  fc.record({
    do: fc.constant('publish'),
    service: fc.nat(1),
    connection: fc.nat(1),
    hosts: fc.uniqueArray(fc.integer({ min: 1, max: 3 })),
  }),
  fc.record({ do: fc.constant('close'), connection: fc.nat(1) }),
  fc.record({ do: fc.constantFrom('persist', 'unpersist'), ...on }),
  fc.record({ do: fc.constant('pass'), ms: fc.integer({ min: 1, max: 40 }).map((halves) => halves * 500) }),
) as fc.Arbitrary<Command>;

const idOf = (service: ServiceKey, host: number, kind: 'e' | 'p') => `${service.name}/${kind}/${host}`;

/** Applies one command to both. */
function apply(registry: CoreFixture, model: Model, action: Command): void {
  switch (action.do) {
    case 'pass':
      registry.advance(action.ms);
      registry.step({ type: 'tick' });
      model.pass(action.ms);
      break;
    case 'close': {
      const connection = connections[action.connection] as string;
      registry.step({ type: 'connection-closed', connection, cause: 'connection-closed' });
      model.close(connection);
      break;
    }
    case 'publish':
      applyPublish(registry, model, action);
      break;
    default:
      applyOnHost(registry, model, action);
  }
}

function applyOnHost(registry: CoreFixture, model: Model, action: HostCommand): void {
  const service = services[action.service] as ServiceKey;
  const address = hostOf(action.host);
  const instance = idOf(service, action.host, 'e');
  const persistentId = idOf(service, action.host, 'p');
  const persistent = model.list(service.name).some((id) => id.endsWith(persistentId));
  switch (action.do) {
    case 'register': {
      const times = TIMES[action.times];
      registry.register(service, address, { healthy: action.healthy, ...(times && { metadata: times.metadata }) });
      model.put(instance, 'http', action.healthy, times);
      break;
    }
    case 'beat':
      expect(registry.beat(service, address).known).toBe(model.beat(instance) || persistent);
      break;
    case 'full-beat':
      registry.beat(service, address, {});
      if (!model.beat(instance) && !persistent) model.put(instance, 'http', true);
      break;
    case 'deregister':
      registry.deregister(service, address);
      model.drop(instance, 'http');
      break;
    case 'persist':
    case 'unpersist': {
      const value = action.do === 'persist' ? { registered: contentOf(), base: contentOf() } : undefined;
      registry.step({
        type: 'store',
        changes: [{ type: 'persistent-instance', service, address, value }],
        actor: { via: 'http-v1' },
      });
      if (value === undefined) model.drop(persistentId, 'store');
      else model.put(persistentId, 'store', true);
      break;
    }
  }
}

function applyPublish(registry: CoreFixture, model: Model, action: Extract<Command, { do: 'publish' }>): void {
  const service = services[action.service] as ServiceKey;
  const connection = connections[action.connection] as string;
  const listed = model.list(service.name);
  const onlyPersistent = listed.length > 0 && listed.every((id) => id.includes('/p/'));
  const publish = () =>
    registry.step({
      type: 'publish',
      means: 'list',
      service,
      connection,
      instances: action.hosts.map((host) => ({ address: hostOf(host), content: contentOf() })),
      actor: { via: 'grpc' },
    });
  if (onlyPersistent && action.hosts.length > 0) {
    expect(publish).toThrow(/persistent service/);
    return;
  }
  publish();
  const before = model.publishedBy(connection, service.name);
  const now = action.hosts.map((host) => idOf(service, host, 'e'));
  for (const instance of before) if (!now.includes(instance)) model.drop(instance, connection);
  for (const instance of now) model.put(instance, connection, true);
}

/** The core's list in the model's words. */
function listOf(registry: CoreFixture, service: ServiceKey): string[] {
  const hosts = registry.core.view(service.id)?.hosts ?? [];
  return hosts
    .map((host) => `${host.healthy ? '' : '-'}${service.name}/${host.ephemeral ? 'e' : 'p'}/${host.ip.split('.')[3]}`)
    .sort();
}

describe('the core', () => {
  it('shows what a dumb model shows after every input and time step, and after a restart', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const registry = new CoreFixture();
        const model = new Model();
        for (const action of commands) {
          apply(registry, model, action);
          for (const service of services) expect(listOf(registry, service)).toEqual(model.list(service.name));
        }
        const restarted = new CoreFixture();
        restarted.step({ type: 'restore', changes: [], entries: registry.journal() });
        for (const service of services)
          expect(listOf(restarted, service)).toEqual(listOf(registry, service).filter((id) => id.includes('/e/')));
      }),
      { numRuns: Number(process.env.ROLLCALL_PROPERTY_RUNS ?? 1000) },
    );
  });
});
