import { expect, test } from 'vitest';
import { DEFAULT_LEASE_TIMES, leaseTimesOf } from './instance.js';
import { serviceKey } from './service-key.js';

test.each<[string, [string, string][], object]>([
  ['nothing set', [['a', 'b']], DEFAULT_LEASE_TIMES],
  [
    'all set',
    [
      ['preserved.heart.beat.interval', '1000'],
      ['preserved.heart.beat.timeout', '3000'],
      ['preserved.ip.delete.timeout', '6000'],
    ],
    { beatIntervalMs: 1000, beatTimeoutMs: 3000, deleteTimeoutMs: 6000 },
  ],
  [
    'what is not all digits counts as the default',
    [
      ['preserved.heart.beat.interval', 'abc'],
      ['preserved.heart.beat.timeout', '-1'],
      ['preserved.ip.delete.timeout', '1.5'],
    ],
    { beatIntervalMs: 5000, beatTimeoutMs: 15000, deleteTimeoutMs: 30000 },
  ],
  [
    'endless digits stay a whole number of ms that sums exactly',
    [['preserved.ip.delete.timeout', '9'.repeat(40)]],
    { beatIntervalMs: undefined, beatTimeoutMs: 15000, deleteTimeoutMs: 9007199254740 },
  ],
])('lease: %s', (_title, entries, times) => {
  expect(leaseTimesOf(new Map(entries))).toEqual(times);
});

test('a service key spells its identity', () => {
  expect(serviceKey('ns', 'g', 'n')).toEqual({
    namespace: 'ns',
    group: 'g',
    name: 'n',
    grouped: 'g@@n',
    id: 'ns##g@@n',
  });
});
