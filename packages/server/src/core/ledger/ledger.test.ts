import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { CoreFixture, hostOf, serviceOf } from '../../testing/core-fixture.js';
import { isInstanceFact } from './fact.js';
import { bytesOf } from './history-entry.js';
import { Ledger } from './ledger.js';
import { DEFAULT_LEDGER_BOUNDS, type LedgerBounds } from './ledger-bounds.js';

const orders = serviceOf('orders');
let registry: CoreFixture;
let ledger: Ledger;
let taken = 0;

beforeEach(() => start());

function start(bounds: Partial<LedgerBounds> = {}): void {
  registry = new CoreFixture();
  ledger = new Ledger({ ...DEFAULT_LEDGER_BOUNDS, ...bounds }, registry.clock.now());
  taken = 0;
}

/** Gives the ledger the events since the last call. */
function follow(): void {
  for (const effect of registry.effects.slice(taken)) {
    if (effect.type === 'event') ledger.take(effect.event);
    if (effect.type === 'server-event') ledger.takeServer(effect.event);
  }
  taken = registry.effects.length;
}

function types(): string[] {
  follow();
  return (ledger.history(orders.id)?.facts ?? []).map(({ type }) => type);
}

describe('facts about beats', () => {
  it('are none while beats come in time', () => {
    registry.register(orders, hostOf(1));
    for (let i = 0; i < 20; i++) {
      registry.advance(5000);
      registry.beat(orders, hostOf(1));
    }
    expect(types()).toEqual(['service-appeared', 'instance-registered']);
  });

  it('begin when one is late by half an interval and end with the next', () => {
    registry.register(orders, hostOf(1));
    registry.advance(7499);
    expect(types()).toHaveLength(2);
    registry.advance(2501);
    registry.beat(orders, hostOf(1));
    expect(types().slice(2)).toEqual(['beat-missed', 'beats-resumed']);
    const [missed, resumed] = ledger.history(orders.id)?.facts.slice(2) ?? [];
    const start = registry.clock.now().wall - 10_000;
    expect(missed).toMatchObject({ at: start + 7500, lastBeatAt: start });
    expect(resumed).toMatchObject({ at: start + 10_000, lastBeatAt: start });
  });

  it('follow the interval that the instance asks for', () => {
    registry.register(orders, hostOf(1), { metadata: new Map([['preserved.heart.beat.interval', '1000']]) });
    registry.advance(1500);
    expect(types()).toContain('beat-missed');
  });

  it('tell of another address that beats, once', () => {
    registry.register(orders, hostOf(1));
    const beat = { type: 'beat', service: orders, address: hostOf(1), content: undefined } as const;
    for (let i = 0; i < 3; i++) registry.step({ ...beat, actor: { via: 'http-v1', address: '10.0.0.77' } });
    follow();
    const found = ledger.history(orders.id)?.facts.filter(({ type }) => type === 'beats-from-elsewhere');
    expect(found).toHaveLength(1);
    expect(found?.[0]?.peer).toBe('10.0.0.77');
  });
});

it('records that the wall clock was set, and its own time does not follow', () => {
  registry.register(orders, hostOf(1));
  registry.advance(15_000);
  registry.clock.setWall(registry.clock.now().wall - 3_600_000);
  registry.advance(15_000);
  follow();
  const set = ledger.serverFacts.filter(({ type }) => type === 'clock-set');
  expect(set).toMatchObject([{ byMs: -3_600_000 }]);
  const [registered, unhealthy, removed] = (ledger.history(orders.id)?.facts ?? []).filter(
    (fact) => isInstanceFact(fact) && fact.cause !== undefined,
  );
  expect((unhealthy?.at ?? 0) - (registered?.at ?? 0)).toBe(15_000);
  expect((removed?.at ?? 0) - (registered?.at ?? 0)).toBe(30_000);
  expect((removed?.wall ?? 0) - (registered?.wall ?? 0)).toBe(30_000 - 3_600_000);
});

it('keeps what happened after instance and service are gone', () => {
  registry.register(orders, hostOf(1));
  registry.advance(3_600_000);
  expect(registry.core.view(orders.id)).toBeUndefined();
  expect(types()).toEqual([
    'service-appeared',
    'instance-registered',
    'beat-missed',
    'instance-unhealthy',
    'instance-removed',
    'service-vanished',
  ]);
});

describe('bounds', () => {
  it('one instance that flaps pushes out its own past alone, visibly', () => {
    start({ subjectBytes: 2000 });
    registry.register(orders, hostOf(2));
    for (let i = 0; i < 50; i++) {
      registry.register(orders, hostOf(1));
      registry.deregister(orders, hostOf(1));
    }
    follow();
    const history = ledger.history(orders.id);
    const of = (ip: string) => history?.facts.filter((fact) => isInstanceFact(fact) && fact.ip === ip) ?? [];
    expect(of('10.0.0.2')).toHaveLength(1);
    expect(of('10.0.0.1').length).toBeLessThanOrEqual(10);
    expect(history?.dropped).toBe(102 - (history?.facts.length ?? 0));
    expect(history?.droppedUntil).toBeGreaterThan(0);
  });

  it('hold for every history, oldest first, and the sums stay true', () => {
    const step = fc.record({
      service: fc.integer({ min: 0, max: 3 }),
      host: fc.integer({ min: 1, max: 4 }),
      waitMs: fc.integer({ min: 0, max: 9000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        start({ bytes: 8000, serviceBytes: 4000, subjectBytes: 1600 });
        for (const { service, host, waitMs } of steps) {
          registry.register(serviceOf(`s${service}`), hostOf(host));
          registry.advance(waitMs);
          follow();
        }
        const histories = [...ledger.histories()];
        const sizes = histories.map(({ facts }) => facts.reduce((sum, fact) => sum + bytesOf(fact), 0));
        expect(histories.map(({ bytes }) => bytes)).toEqual(sizes);
        const { bytes, facts, dropped } = ledger.figures;
        expect(bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
        expect(bytes).toBeLessThanOrEqual(8000);
        for (const size of sizes) expect(size).toBeLessThanOrEqual(4000);
        expect(facts - dropped).toBe(histories.reduce((sum, history) => sum + history.facts.length, 0));
        for (const { facts } of histories) expect(facts.map(({ at }) => at)).toEqual(facts.map(({ at }) => at).sort());
      }),
      { numRuns: 60 },
    );
  });
});

it('follows an earlier run without going back, even when the clock was set back between the two', () => {
  registry.register(orders, hostOf(1));
  follow();
  const facts = ledger.history(orders.id)?.facts ?? [];
  const earlier = { services: new Map([[orders.id, { key: orders, facts }]]), server: ledger.serverFacts };
  const last = facts.at(-1)?.at ?? 0;
  registry = new CoreFixture({ wall: registry.clock.now().wall - 86_400_000 });
  ledger = new Ledger(DEFAULT_LEDGER_BOUNDS, registry.clock.now());
  taken = 0;
  registry.register(orders, hostOf(1));
  follow();
  ledger.putBefore(earlier);
  registry.advance(15_000);
  follow();
  const times = ledger.history(orders.id)?.facts.map(({ at }) => at - last) ?? [];
  expect(times).toEqual([0, 0, 1, 1, 7501, 15_001]);
  expect(ledger.serverFacts.map(({ type }) => type)).toEqual(['server-started', 'server-started']);
});
