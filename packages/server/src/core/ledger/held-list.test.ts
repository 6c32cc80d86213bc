import { expect, it } from 'vitest';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';
import { LedgerFixture } from '../../testing/ledger-fixture.js';
import { heldList } from './held-list.js';

const orders = serviceOf('orders');

it('shows what a subscriber held at each moment, and how it got it', () => {
  const fixture = new LedgerFixture();
  const { registry } = fixture;
  registry.register(orders, hostOf(1));
  registry.register(orders, hostOf(2), { weight: 3 });
  fixture.subscribe(orders);
  registry.advance(1000);
  const start = fixture.now;
  registry.advance(1000);
  registry.register(orders, hostOf(3));
  registry.advance(50);
  const unacknowledged = fixture.now;
  fixture.acknowledge();
  registry.advance(1000);
  const three = fixture.now;
  registry.advance(11_950);
  registry.advance(20);
  fixture.acknowledge();
  const held = (at: number) => {
    fixture.follow();
    const history = fixture.ledger.history(orders.id);
    const present = (registry.core.service(orders.id)?.records ?? []).map(({ address, kind, healthy, inForce }) => ({
      ...{ ip: address.ip, port: address.port, cluster: address.cluster, kind, healthy },
      ...{ enabled: inForce.enabled, weight: inForce.weight },
    }));
    const list = heldList({ subscriber: '10.0.0.9:4000', facts: history?.facts ?? [], at, droppedUntil: 0, present });
    return { ...list, instances: list.instances.map(({ ip, healthy, weight }) => `${ip} ${healthy} ${weight}`) };
  };
  const both = ['10.0.0.1 true 1', '10.0.0.2 true 3'];
  expect(held(start)).toMatchObject({ how: 'polled', instances: both, complete: true });
  expect(held(unacknowledged - 1).instances).toEqual(both);
  expect(held(three)).toMatchObject({ how: 'pushed', since: unacknowledged });
  expect(held(three).instances).toEqual([...both, '10.0.0.3 true 1']);
  expect(held(fixture.now).instances).toEqual(['10.0.0.1 false 1', '10.0.0.2 false 3', '10.0.0.3 true 1']);
  expect(held(start - 5000)).toMatchObject({ how: 'unknown', version: 0, instances: [] });
});
