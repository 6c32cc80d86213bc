import { describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../testing/cluster-fixture.js';
import { contentOf, hostOf, serviceOf, TESTER } from '../../testing/core-fixture.js';

const orders = serviceOf('orders');
const one = hostOf(1);
const listed = '10.0.0.1:8080';
const nobody = [[], [], []];

/** A beat that carries the instance. @returns whether it counts */
function fullBeat(cluster: ClusterFixture, index: number): boolean {
  return cluster.step(index, { type: 'beat', service: orders, address: one, content: contentOf({}), actor: TESTER })
    .known;
}

/** Lists of all nodes, without holders. */
function hosts(cluster: ClusterFixture): string[][] {
  return cluster.lists(orders).map((list) => list.map((host) => host.replace(/@.*/, '')));
}

/** A cluster whose node 2 stands still for a time; meanwhile the instance is deregistered at node 0. */
function leftDuringPause(pauseMs: number): ClusterFixture {
  const cluster = ClusterFixture.ready(3);
  cluster.register(1, orders, one);
  cluster.advance(1000);
  cluster.freeze(2);
  cluster.advance(pauseMs / 2);
  cluster.deregister(0, orders, one);
  cluster.advance(pauseMs / 2);
  cluster.thaw(2);
  return cluster;
}

describe('a full beat that lay unread while its node stood still', () => {
  it.each([0, 20, 300, 1000, 5000, 24_000])('brings nobody back who left meanwhile, read %i ms after it', (readMs) => {
    const cluster = leftDuringPause(25_000);
    cluster.advance(readMs);
    // Before the removal is known it renews a lease that gives way to it; after that the client is told to register.
    if (readMs > 20) expect(fullBeat(cluster, 2)).toBe(false);
    else fullBeat(cluster, 2);
    for (let step = 0; step < 40; step += 1) {
      cluster.advance(1000);
      expect(hosts(cluster)).toEqual(nobody);
    }
  });

  it('nor who came meanwhile, too, and whom the node never knew', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.freeze(2);
    cluster.register(0, orders, one);
    cluster.advance(10_000);
    cluster.deregister(0, orders, one);
    cluster.advance(15_000);
    cluster.isolate(2);
    cluster.thaw(2);
    expect(fullBeat(cluster, 2)).toBe(false);
    cluster.heal();
    cluster.advance(2000);
    expect(fullBeat(cluster, 2)).toBe(false);
    expect(hosts(cluster)).toEqual(nobody);
  });

  it('nor after a second, shorter pause', () => {
    const cluster = leftDuringPause(25_000);
    cluster.advance(1000);
    cluster.freeze(2);
    cluster.advance(1500);
    cluster.thaw(2);
    cluster.advance(4000);
    expect(fullBeat(cluster, 2)).toBe(false);
  });
});

describe('whoever lives', () => {
  it('is back at once with the registration that follows', () => {
    const cluster = leftDuringPause(25_000);
    cluster.advance(1000);
    expect(fullBeat(cluster, 2)).toBe(false);
    cluster.register(2, orders, one);
    cluster.advance(500);
    expect(hosts(cluster)).toEqual([[listed], [listed], [listed]]);
    expect(fullBeat(cluster, 2)).toBe(true);
  });

  it('keeps a registration that it made elsewhere meanwhile', () => {
    const cluster = leftDuringPause(25_000);
    cluster.register(0, orders, one);
    for (let step = 0; step < 40; step += 1) {
      if (step % 5 === 0) fullBeat(cluster, 2);
      cluster.advance(1000);
      expect(hosts(cluster)).toEqual([[listed], [listed], [listed]]);
    }
  });

  it('is registered by a full beat as ever, once what is read cannot be older than the pause', () => {
    const cluster = leftDuringPause(8000);
    cluster.advance(7999);
    expect(fullBeat(cluster, 2)).toBe(false);
    cluster.advance(1);
    expect(fullBeat(cluster, 2)).toBe(true);
    cluster.advance(500);
    expect(hosts(cluster)).toEqual([[listed], [listed], [listed]]);
  });

  it('is registered by a full beat 3 s after a pause when nothing is known of it', () => {
    const cluster = ClusterFixture.ready(3);
    cluster.freeze(2);
    cluster.advance(60_000);
    cluster.thaw(2);
    cluster.advance(2999);
    expect(fullBeat(cluster, 2)).toBe(false);
    cluster.advance(1);
    expect(fullBeat(cluster, 2)).toBe(true);
  });

  it('is registered by a full beat at a node that did not stand still', () => {
    const cluster = leftDuringPause(25_000);
    cluster.advance(1000);
    expect(fullBeat(cluster, 0)).toBe(true);
    cluster.advance(500);
    expect(hosts(cluster)).toEqual([[listed], [listed], [listed]]);
  });
});
