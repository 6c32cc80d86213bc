import { expect, it } from 'vitest';
import type { RegistryEvent } from '../../core/registry-event.js';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';
import { LedgerFixture } from '../../testing/ledger-fixture.js';
import type { DurationBuckets } from './duration-buckets.js';
import { StageTimes } from './stage-times.js';

it('counts silence, wait for the push, and the time until a subscriber knew', () => {
  const orders = serviceOf('orders');
  const fixture = new LedgerFixture();
  const { registry } = fixture;
  registry.register(orders, hostOf(1));
  registry.advance(9000);
  registry.beat(orders, hostOf(1));
  fixture.subscribe(orders);
  registry.advance(15_000);
  registry.advance(40);
  fixture.acknowledge();
  let tell: (event: RegistryEvent) => void = () => undefined;
  const times = new StageTimes({
    onEvent: (listener) => {
      tell = listener;
      return () => undefined;
    },
  });
  for (const effect of registry.effects) if (effect.type === 'event') tell(effect.event);
  const sums = (buckets: DurationBuckets) =>
    [...buckets.samples({})].filter(({ suffix }) => suffix !== '_bucket').map(({ value }) => value);
  expect(sums(times.silences)).toEqual([24, 2]);
  expect(sums(times.unhealthyToPushed)).toEqual([0, 1]);
  expect(sums(times.signToKnown)).toEqual([15.04, 1]);
});
