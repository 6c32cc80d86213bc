import { once } from 'node:events';
import { createServer } from 'node:net';
import { nodeTimers } from '@rollcall/runtime';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressOf } from '../../core/instance-address.js';
import type { RegistryEvent } from '../../core/registry-event.js';
import { CoreFixture, serviceOf } from '../../testing/core-fixture.js';
import { coreAccess } from '../udp/core-access.test-support.js';
import { DeathConfirmation, lookAtPort, type PortFinding } from './death-confirmation.js';

const orders = serviceOf('orders');

/** A registry whose missed beats are confirmed by `look`. */
class Confirmed {
  readonly registry = new CoreFixture();
  readonly looks: number[] = [];
  readonly #listeners: ((event: RegistryEvent) => void)[] = [];
  #told = 0;

  constructor(look: (port: number) => Promise<PortFinding>, proxies: readonly string[] = []) {
    const onEvent = (listener: (event: RegistryEvent) => void) => {
      this.#listeners.push(listener);
      return () => undefined;
    };
    new DeathConfirmation({
      registry: { ...coreAccess(this.registry), onEvent },
      proxies,
      look: ({ port }) => {
        this.looks.push(port);
        return look(port);
      },
    });
  }

  /** Lets time pass and what was looked at come in. */
  async advance(ms: number): Promise<void> {
    this.registry.advance(ms);
    for (const effect of this.registry.effects.slice(this.#told)) {
      this.#told += 1;
      if (effect.type === 'event') for (const listener of this.#listeners) listener(effect.event);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  get confirmed(): number[] {
    return this.registry
      .events('instance-unhealthy')
      .flatMap((event) => ('cause' in event && event.cause === 'confirmed-dead' ? [event.address.port] : []));
  }
}

const hostAt = (port: number) => addressOf('10.0.0.1', port, 'DEFAULT');

it('marks an instance whose port is refused, as soon as a beat is missed, and no other', async () => {
  const registry = new Confirmed(async (port) => (port === 1 ? 'refused' : port === 2 ? 'unknown' : 'open'));
  for (const port of [1, 2, 3]) registry.registry.register(orders, hostAt(port));
  await registry.advance(7499);
  expect(registry.looks).toEqual([]);
  await registry.advance(1);
  expect([...registry.looks].sort()).toEqual([1, 2, 3]);
  expect(registry.confirmed).toEqual([1]);
  registry.registry.beat(orders, hostAt(1));
  expect(registry.registry.list(orders)?.[0]).toBe('10.0.0.1:1/DEFAULT');
});

it('believes a beat that came while it looked', async () => {
  const registry = new Confirmed(async () => {
    registry.registry.beat(orders, hostAt(1));
    return 'refused';
  });
  registry.registry.register(orders, hostAt(1));
  await registry.advance(7500);
  expect(registry.looks).toEqual([1]);
  expect(registry.confirmed).toEqual([]);
});

it('leaves instances behind declared proxies alone, and those that others hold too', async () => {
  const registry = new Confirmed(async () => 'refused', ['10.0.0.0/24']);
  registry.registry.register(orders, hostAt(1));
  await registry.advance(7500);
  expect(registry.looks).toEqual([]);
});

it('looks at a bounded number of ports at once', async () => {
  const registry = new Confirmed(() => new Promise(() => undefined));
  for (let port = 1; port <= 300; port++) registry.registry.register(orders, hostAt(port));
  await registry.advance(7500);
  expect(registry.looks).toHaveLength(50);
});

it('never marks an instance that lives, however late its beats are', async () => {
  const step = fc.record({ port: fc.integer({ min: 1, max: 4 }), beatMs: fc.integer({ min: 100, max: 14_000 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      // Odd ports are dead: refused. Even ones live: open, or silent under load.
      const registry = new Confirmed(async (port) => (port % 2 === 1 ? 'refused' : port === 2 ? 'open' : 'unknown'));
      for (const port of [1, 2, 3, 4]) registry.registry.register(orders, hostAt(port));
      for (const { port, beatMs } of steps) {
        await registry.advance(beatMs);
        if (port % 2 === 0) registry.registry.beat(orders, hostAt(port));
      }
      expect(registry.confirmed.filter((port) => port % 2 === 0)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

it('over sockets: a port that listens is open, a closed one refused, whatever its process does', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const looks = await Promise.all(Array.from({ length: 50 }, () => lookAtPort({ ip: '127.0.0.1', port }, nodeTimers)));
  expect(new Set(looks)).toEqual(new Set(['open']));
  server.close();
  await once(server, 'close');
  expect(await lookAtPort({ ip: '127.0.0.1', port }, nodeTimers)).toBe('refused');
});
