// What is counted of the events of a core.

import { expect, it } from 'vitest';
import type { RegistryEvent } from '../../core/registry-event.js';
import { CoreFixture, hostOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import type { RegistryEvents } from '../registry-events.js';
import { EventCounts } from './event-counts.js';

const SERVICE = serviceOf('s');

/** Lets the counts hear what a core has reported so far. */
function countsOf(fixture: CoreFixture): EventCounts {
  let tell: (event: RegistryEvent) => void = () => undefined;
  const events: RegistryEvents = {
    onEvent: (listener) => {
      tell = listener;
      return () => undefined;
    },
  };
  const counts = new EventCounts(events);
  for (const effect of fixture.effects) if (effect.type === 'event') tell(effect.event);
  return counts;
}

function subscribe(fixture: CoreFixture): void {
  fixture.step({
    type: 'subscribe-udp',
    service: SERVICE,
    query: { ip: '10.0.0.9', port: 5000, clusters: '', agent: '', app: '' },
    answerEmpty: false,
    actor: TESTER,
  });
}

it('changes of services and instances, with their cause', () => {
  const fixture = new CoreFixture();
  fixture.register(SERVICE, hostOf(1));
  fixture.register(SERVICE, hostOf(2));
  fixture.deregister(SERVICE, hostOf(2));
  fixture.advance(120_000);
  const { instances, services } = countsOf(fixture);
  expect(Object.fromEntries(services)).toEqual({ 'service-appeared': 1, 'service-vanished': 1 });
  expect(Array.from(instances, ([event, causes]) => [event, Object.fromEntries(causes)])).toEqual([
    ['instance-registered', { registered: 2 }],
    ['instance-removed', { deregistered: 1, 'delete-timeout': 1 }],
    ['instance-unhealthy', { 'beat-timeout': 1 }],
  ]);
});

it('subscribers that come and go, and how long acknowledgements take', () => {
  const fixture = new CoreFixture();
  subscribe(fixture);
  fixture.register(SERVICE, hostOf(1));
  fixture.advance(30);
  const number = fixture.pushes()[0]?.number ?? 0;
  fixture.step({ type: 'push-ack', ips: ['10.0.0.9'], port: 5000, number });
  fixture.advance(60_000);
  const { subscriptions, acknowledged } = countsOf(fixture);
  expect(Array.from(subscriptions, ([event, transports]) => [event, Object.fromEntries(transports)])).toEqual([
    ['subscribed', { udp: 1 }],
    ['subscriber-expired', { udp: 1 }],
  ]);
  const last = [...acknowledged.udp.samples({})].slice(-2).map(({ value }) => value);
  expect(last).toEqual([0.03, 1]);
  expect([...acknowledged.stream.samples({})].at(-1)?.value).toBe(0);
});
