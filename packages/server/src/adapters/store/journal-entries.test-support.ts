// Arbitrary journal entries for property tests.

import { type InstanceContent, serviceKey } from '@rollcall/protocol';
import fc from 'fast-check';
import { addressOf } from '../../core/instance-address.js';
import type { JournalEntry } from '../../core/journal-entry.js';

const names = fc.oneof(fc.constantFrom('a', 'b'), fc.string({ unit: 'grapheme', maxLength: 20 }));
const services = fc.tuple(names, names, names).map(([namespace, group, name]) => serviceKey(namespace, group, name));
const addresses = fc.tuple(names, fc.nat(65535), names).map(([ip, port, cluster]) => addressOf(ip, port, cluster));
const times = fc.maxSafeNat();

const contents: fc.Arbitrary<InstanceContent> = fc.record(
  {
    weight: fc.double({ min: 0.01, max: 10000, noNaN: true }),
    enabled: fc.boolean(),
    healthy: fc.boolean(),
    metadata: fc
      .array(fc.tuple(fc.oneof(names, fc.constant('__proto__')), names), { maxLength: 3 })
      .map((pairs) => new Map(pairs)),
    app: fc.option(names, { nil: undefined }),
    instanceId: names,
  },
  { requiredKeys: ['weight', 'enabled', 'healthy', 'metadata', 'app'] },
);

const at = { service: services, address: addresses, publisher: names, refTime: times };

/** Any entry; names are short and often equal. */
export const journalEntries: fc.Arbitrary<JournalEntry> = fc.oneof(
  fc.record(
    {
      type: fc.constant('registered' as const),
      ...at,
      registered: contents,
      base: contents,
      healthy: fc.boolean(),
      instanceId: names,
      version: fc.record({ cv: times, op: fc.tuple(names, fc.nat(), fc.nat()) }),
    },
    { requiredKeys: ['type', 'service', 'address', 'publisher', 'refTime', 'registered', 'healthy'] },
  ),
  fc.record({ type: fc.constant('health' as const), ...at, healthy: fc.boolean() }),
  fc.record({ type: fc.constant('removed' as const), ...at }),
  fc.record({
    type: fc.constant('subscribed' as const),
    service: services,
    subscriber: fc.record({ ip: names, port: fc.nat(65535), clusters: names, agent: names, app: names }),
  }),
  fc.record({ type: fc.constant('unsubscribed' as const), service: services, subscriberKey: names }),
  fc.record({ type: fc.constant('list-version' as const), service: services, refTime: times }),
  fc.record({ type: fc.constant('push-numbers' as const), upTo: times }),
);
