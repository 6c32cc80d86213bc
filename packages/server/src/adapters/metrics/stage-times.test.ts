import { beforeEach, expect, it } from 'vitest';
import type { RegistryEvent } from '../../core/registry-event.js';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';
import { LedgerFixture } from '../../testing/ledger-fixture.js';
import type { DurationBuckets } from './duration-buckets.js';
import { StageTimes } from './stage-times.js';

const orders = serviceOf('orders');
let fixture: LedgerFixture;

beforeEach(() => {
  fixture = new LedgerFixture();
  fixture.registry.register(orders, hostOf(1));
});

/** What was measured of everything that happened. */
function measured(): StageTimes {
  let tell: (event: RegistryEvent) => void = () => undefined;
  const times = new StageTimes({
    onEvent: (listener) => {
      tell = listener;
      return () => undefined;
    },
  });
  for (const effect of fixture.registry.effects) if (effect.type === 'event') tell(effect.event);
  return times;
}

const sums = (buckets: DurationBuckets) =>
  [...buckets.samples({})].filter(({ suffix }) => suffix !== '_bucket').map(({ value }) => value);

it('counts silence, wait for the push, and the time until a subscriber knew', () => {
  const { registry } = fixture;
  registry.advance(9000);
  registry.beat(orders, hostOf(1));
  fixture.subscribe(orders);
  registry.advance(15_000);
  registry.advance(40);
  fixture.acknowledge();
  const times = measured();
  expect(sums(times.silences)).toEqual([24, 2]);
  expect(sums(times.unhealthyToPushed)).toEqual([0, 1]);
  expect(sums(times.signToKnown)).toEqual([15.04, 1]);
});

it('counts who acknowledges only a newer list, and nobody twice', () => {
  const { registry } = fixture;
  registry.advance(5000);
  fixture.subscribe(orders);
  registry.advance(10_000);
  registry.advance(1000);
  registry.register(orders, hostOf(2));
  registry.advance(10_000);
  fixture.acknowledge();
  registry.register(orders, hostOf(3));
  registry.advance(1000);
  fixture.acknowledge();
  expect(sums(measured().signToKnown)).toEqual([26, 1]);
});

it('counts a poll, but not of an instance that is well again', () => {
  const { registry } = fixture;
  registry.advance(5000);
  fixture.subscribe(orders);
  registry.advance(10_000);
  registry.advance(2000);
  fixture.subscribe(orders);
  registry.beat(orders, hostOf(1));
  registry.advance(5000);
  fixture.acknowledge();
  fixture.subscribe(orders);
  expect(sums(measured().signToKnown)).toEqual([17, 1]);
});
