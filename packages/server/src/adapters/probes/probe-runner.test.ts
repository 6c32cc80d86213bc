import { type HealthChecker, NO_CHECKER, NO_METADATA, NO_SELECTOR, type ServiceKey } from '@rollcall/protocol';
import { ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import { describe, expect, it } from 'vitest';
import type { RegistryEvent } from '../../core/registry-event.js';
import type { ClusterDefinition } from '../../core/service-definition.js';
import type { StoreChange } from '../../core/store-change.js';
import { DEFAULT_SWITCHES, type Switches } from '../../core/switches.js';
import { CoreFixture, contentOf, hostOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import type { RegistryAccess } from '../registry-access.js';
import type { RegistryEvents } from '../registry-events.js';
import { coreAccess } from '../udp/core-access.test-support.js';
import type { ProbeOutcome } from './probe-outcome.js';
import type { ProbePlan } from './probe-plan.js';
import { ProbeRunner } from './probe-runner.js';

const SHOP = serviceOf('shop');
const HTTP: HealthChecker = { type: 'HTTP', path: '/', headers: '', expectedResponseCode: 200 };

/** A registry whose probes find what the test says. */
class ProbedRegistry {
  readonly fixture = new CoreFixture();
  readonly timers = new ManualTimers(this.fixture.clock);
  readonly logger = new RecordingLogger();
  readonly probed: { host: string; plan: ProbePlan; at: number }[] = [];
  finding: ProbeOutcome | Promise<ProbeOutcome> | Error = { type: 'ok', ms: 1 };
  readonly runner: ProbeRunner;
  #listener: (event: RegistryEvent) => void = () => undefined;
  #told = 0;

  constructor() {
    const registry: RegistryAccess & RegistryEvents = {
      ...coreAccess(this.fixture),
      onEvent: (listener) => {
        this.#listener = listener;
        return () => undefined;
      },
    };
    this.runner = new ProbeRunner({
      registry,
      prober: async (host, plan) => {
        this.probed.push({ host, plan, at: this.fixture.clock.now().mono });
        if (this.finding instanceof Error) throw this.finding;
        return this.finding;
      },
      timers: this.timers,
      logger: this.logger,
      random: () => 0,
    });
  }

  store(...changes: StoreChange[]): void {
    this.fixture.step({ type: 'store', changes, actor: TESTER });
    const { effects } = this.fixture;
    for (; this.#told < effects.length; this.#told++) {
      const effect = effects[this.#told];
      if (effect?.type === 'event') this.#listener(effect.event);
    }
  }

  persist(n: number, { healthy = true } = {}): void {
    const content = contentOf({ healthy });
    const value = { registered: content, base: content };
    this.store({ type: 'persistent-instance', service: SHOP, address: hostOf(n), value });
  }

  forget(n: number): void {
    this.store({ type: 'persistent-instance', service: SHOP, address: hostOf(n), value: undefined });
  }

  check(healthChecker: HealthChecker, port: { readonly checkPort?: number } = {}): void {
    const { checkPort = 80 } = port;
    const useInstancePort = port.checkPort === undefined;
    const cluster = { name: 'DEFAULT', healthChecker, checkPort, useInstancePort, metadata: NO_METADATA };
    this.store(definitionOf(SHOP, cluster));
  }

  switch(changed: Partial<Switches>): void {
    this.store({ type: 'switches', value: { ...DEFAULT_SWITCHES, ...changed } });
  }

  /** Moves time in steps, so that findings arrive between them. */
  async advance(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      this.timers.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  get list(): string[] | undefined {
    return this.fixture.list(SHOP);
  }
}

function definitionOf(service: ServiceKey, cluster: ClusterDefinition): StoreChange {
  const clusters = new Map([[cluster.name, cluster]]);
  const value = { protectThreshold: 0, metadata: NO_METADATA, selector: NO_SELECTOR, clusters };
  return { type: 'service', service, value };
}

describe('ProbeRunner', () => {
  it('probes the instance port by TCP unless the cluster says otherwise', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.persist(1);
    await registry.advance(2500);
    expect(registry.probed).toEqual([{ host: '10.0.0.1', plan: { checker: { type: 'TCP' }, port: 8080 }, at: 2000 }]);
  });

  it('probes the check port with the checker of the cluster', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.check(HTTP, { checkPort: 9090 });
    registry.persist(1);
    await registry.advance(2500);
    expect(registry.probed[0]?.plan).toEqual({ checker: HTTP, port: 9090 });
  });

  it('probes instances that were there before it started', async () => {
    const registry = new ProbedRegistry();
    registry.persist(1);
    registry.runner.start();
    await registry.advance(2500);
    expect(registry.probed).toHaveLength(1);
  });

  it('does not probe ephemeral instances, nor removed ones', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.persist(1);
    registry.forget(1);
    registry.fixture.register(SHOP, hostOf(2));
    await registry.advance(8000);
    expect(registry.probed).toEqual([]);
    expect(registry.runner.load).toEqual({ targets: 0, inFlight: 0 });
  });

  it('flips health both ways, and tells who did it', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.persist(1);
    registry.finding = { type: 'refused', ms: 1 };
    await registry.advance(2500);
    expect(registry.list).toEqual(['-10.0.0.1:8080/DEFAULT']);
    registry.finding = { type: 'ok', ms: 1 };
    await registry.advance(6000);
    expect(registry.list).toEqual(['10.0.0.1:8080/DEFAULT']);
    expect(registry.runner.counters.flips).toEqual({ healthy: 1, unhealthy: 1 });
    expect(registry.fixture.events('instance-unhealthy')).toMatchObject([{ cause: 'probe', actor: { via: 'server' } }]);
  });

  it('does not probe with the checker NONE, whatever was registered', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.check(NO_CHECKER);
    registry.persist(1);
    registry.persist(2, { healthy: false });
    await registry.advance(10_000);
    expect(registry.probed).toEqual([]);
    expect(registry.list).toEqual(['10.0.0.1:8080/DEFAULT', '-10.0.0.2:8080/DEFAULT']);
  });

  it('gives the registered health back when a cluster changes to NONE', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.persist(1);
    registry.finding = { type: 'refused', ms: 1 };
    await registry.advance(2500);
    registry.check(NO_CHECKER);
    expect(registry.list).toEqual(['10.0.0.1:8080/DEFAULT']);
    registry.check(HTTP);
    await registry.advance(2500);
    expect(registry.list).toEqual(['-10.0.0.1:8080/DEFAULT']);
  });

  it('goes back to TCP at the instance port when the definition of the service ends', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.check(NO_CHECKER);
    registry.persist(1);
    await registry.advance(8000);
    expect(registry.probed).toEqual([]);
    registry.store({ type: 'service', service: SHOP, value: undefined });
    await registry.advance(2500);
    expect(registry.probed.map(({ plan }) => plan)).toEqual([{ checker: { type: 'TCP' }, port: 8080 }]);
  });

  it('says how fast a cluster is answered', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    expect(registry.runner.timesOf(SHOP.id, 'DEFAULT')).toBeUndefined();
    registry.persist(1);
    registry.persist(2);
    expect(registry.runner.timesOf(SHOP.id, 'DEFAULT')).toEqual({ bestMs: undefined, worstMs: 0, averageMs: 2000 });
    expect(registry.runner.timesOf(SHOP.id, 'other')).toBeUndefined();
    registry.finding = { type: 'ok', ms: 40 };
    await registry.advance(2100);
    registry.finding = { type: 'timeout', ms: 500 };
    await registry.advance(1600);
    // 2000, then 0.75 of the old value and 0.25 of the new one, each time.
    const averageMs = 0.75 * (0.75 * 2000 + 0.25 * 40) + 0.25 * 500;
    expect(registry.runner.timesOf(SHOP.id, 'DEFAULT')).toEqual({ bestMs: 40, worstMs: 500, averageMs });
  });

  it('drops what a probe found with a checker that is no longer set', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.persist(1);
    let find: (outcome: ProbeOutcome) => void = () => undefined;
    registry.finding = new Promise((resolve) => {
      find = resolve;
    });
    await registry.advance(2500);
    registry.check(HTTP);
    find({ type: 'refused', ms: 1 });
    await registry.advance(100);
    expect(registry.list).toEqual(['10.0.0.1:8080/DEFAULT']);
    expect(registry.runner.load).toEqual({ targets: 1, inFlight: 0 });
  });

  it('probes nothing while health checks are switched off', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.switch({ healthCheckEnabled: false });
    registry.persist(1);
    await registry.advance(10_000);
    expect(registry.probed).toEqual([]);
    registry.switch({ healthCheckEnabled: true });
    await registry.advance(1500);
    expect(registry.probed).not.toEqual([]);
  });

  it('says that an instance cannot be probed, once in a while, and leaves it as it is', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.finding = { type: 'not-probed', ms: 0, detail: 'address is not allowed' };
    for (const n of [1, 2, 3]) registry.persist(n);
    await registry.advance(9000);
    expect(registry.logger.events.filter((event) => event === 'instance-not-probed')).toHaveLength(1);
    expect(registry.list?.filter((host) => host.startsWith('-'))).toEqual([]);
  });

  it('a prober that fails leaves the instance as it is, and is asked again', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.persist(1);
    registry.finding = new Error('broken');
    await registry.advance(8000);
    expect(registry.probed.length).toBeGreaterThan(1);
    expect(registry.list).toEqual(['10.0.0.1:8080/DEFAULT']);
  });

  it('starts at most ten probes in five milliseconds', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    for (let n = 1; n <= 50; n++) registry.persist(n);
    registry.timers.advance(2000);
    expect(registry.probed).toHaveLength(10);
    registry.timers.advance(20);
    expect(registry.probed).toHaveLength(50);
  });

  it('stops', async () => {
    const registry = new ProbedRegistry();
    registry.runner.start();
    registry.persist(1);
    registry.runner.stop();
    await registry.advance(8000);
    expect(registry.probed).toEqual([]);
    expect(registry.timers.size).toBe(0);
  });
});
