import { describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { hostOf, serviceOf } from '../../testing/core-fixture.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const two = hostOf(2);

describe('a write', () => {
  it('is seen on the other nodes at once, and after a busy moment within a flush', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.register(0, orders, one);
    cluster.advance(15);
    expect(cluster.lists(orders)).toEqual([['10.0.0.1:8080@0'], ['10.0.0.1:8080@0'], ['10.0.0.1:8080@0']]);
    cluster.register(0, orders, two);
    cluster.advance(200);
    expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@0']);
    cluster.advance(150);
    expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@0', '10.0.0.2:8080@0']);
  });

  it('reaches a node for which it was lost', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.cut(0, 1);
    cluster.register(0, orders, one);
    cluster.advance(100);
    expect(cluster.list(1, orders)).toEqual([]);
    cluster.heal();
    cluster.advance(1500);
    expect(cluster.list(1, orders)).toEqual(['10.0.0.1:8080@0']);
  });
});
