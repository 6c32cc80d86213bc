import { beforeEach, describe, expect, it } from 'vitest';
import type { RegistryEvent } from '../core/registry-event.js';
import { CoreFixture, hostOf, serviceOf, TESTER } from '../testing/core-fixture.js';
import { PushStatistics } from './push-statistics.js';

const orders = serviceOf('orders');
let registry: CoreFixture;
let statistics: PushStatistics;
let seen: number;

beforeEach(() => {
  registry = new CoreFixture();
  let listener: (event: RegistryEvent) => void = () => undefined;
  statistics = new PushStatistics({
    onEvent: (wanted) => {
      listener = wanted;
      return () => undefined;
    },
  });
  seen = 0;
  tell = () => {
    for (const effect of registry.effects.slice(seen)) if (effect.type === 'event') listener(effect.event);
    seen = registry.effects.length;
  };
});
let tell: () => void;

function subscribe(port: number) {
  const query = { ip: '10.0.0.9', port, clusters: '', agent: 'Nacos-Java-Client:v1.4.8', app: '' };
  registry.step({ type: 'subscribe-udp', service: orders, query, answerEmpty: true, actor: TESTER });
}

function acknowledge(port: number) {
  const push = registry.pushes().findLast(({ subscriber }) => subscriber.port === port);
  registry.step({ type: 'push-ack', ips: ['10.0.0.9'], port, number: push?.number ?? 0 });
}

describe('push statistics', () => {
  it('count what becomes of pushes', () => {
    for (const port of [1, 2, 3]) subscribe(port);
    registry.register(orders, hostOf(1));
    const number = registry.pushes()[0]?.number ?? 0;
    registry.step({ type: 'push-failed', ip: '10.0.0.9', port: 3, number, reason: 'too-large' });
    registry.advance(12);
    acknowledge(1);
    tell();
    const { outstandingPushes } = registry.core.counts;
    expect(statistics.state(outstandingPushes)).toEqual({ total: 3, succeeded: 1, failed: 1 });
    registry.advance(10_000);
    registry.beat(orders, hostOf(1));
    registry.advance(10_000);
    tell();
    expect(statistics.udp).toEqual({ sent: 3, resent: 1, acknowledged: 1, givenUp: 2, failed: 1, tookMs: 12 });
    expect(statistics.state(registry.core.counts.outstandingPushes)).toEqual({ total: 3, succeeded: 1, failed: 2 });
    statistics.reset();
    expect(statistics.state(0)).toEqual({ total: 0, succeeded: 0, failed: 0 });
    expect(statistics.udp.sent).toBe(3);
  });

  it('count refusals by reason', () => {
    const reasons = ['agent-not-supported', 'address-not-allowed', 'agent-not-supported'] as const;
    for (const reason of reasons)
      registry.step({ type: 'refuse-subscriber', service: orders, subscriber: 'x:1', reason, actor: TESTER });
    tell();
    expect([...statistics.refused]).toEqual([
      ['agent-not-supported', 2],
      ['address-not-allowed', 1],
    ]);
  });

  it('keep the costs of the last 15 s', () => {
    const costs = () => statistics.costs(registry.clock.now().mono);
    for (const port of [1, 2]) subscribe(port);
    registry.register(orders, hostOf(1));
    registry.advance(10);
    acknowledge(1);
    registry.advance(20);
    acknowledge(2);
    tell();
    expect(costs()).toEqual({ averageMs: -1, maxMs: -1 });
    registry.advance(14_970);
    expect(costs()).toEqual({ averageMs: 20, maxMs: 30 });
    registry.advance(15_000);
    expect(costs()).toEqual({ averageMs: -1, maxMs: -1 });
  });
});
