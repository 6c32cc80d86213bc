import { clusterNames, NO_METADATA, NO_SELECTOR } from '@rollcall/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOf, serviceOf } from '../testing/core-fixture.js';
import { isProtecting, type ListDialect, selectHosts } from './host-selection.js';
import { addressOf } from './instance-address.js';
import { InstanceView, ServiceView } from './service-view.js';

interface Host {
  readonly name: string;
  readonly cluster?: string;
  readonly healthy?: boolean;
  readonly enabled?: boolean;
}

function viewOf(hosts: readonly Host[], protectThreshold = 0): ServiceView {
  return new ServiceView({
    known: true,
    key: serviceOf('orders'),
    definition: { protectThreshold, metadata: NO_METADATA, selector: NO_SELECTOR, clusters: new Map() },
    clusters: [],
    hosts: hosts.map(
      ({ name, cluster = 'DEFAULT', healthy = true, enabled = true }) =>
        new InstanceView({
          address: addressOf(name, 80, cluster),
          kind: 'ephemeral',
          healthy,
          content: contentOf({ enabled }),
          instanceId: name,
          claim: { lastBeatWall: 0, publisher: 'http' },
        }),
    ),
    refTime: 1,
  });
}

function names(view: ServiceView, query: { clusters?: string; healthyOnly?: boolean; dialect?: ListDialect } = {}) {
  const { clusters = '', healthyOnly = false, dialect = 'v1' } = query;
  const { hosts, protecting } = selectHosts(view, { clusters: clusterNames(clusters), healthyOnly, dialect });
  return `${hosts.map((host) => host.ip).join('')}${protecting ? '!' : ''}`;
}

describe('protection', () => {
  it.each([
    ['0 is off, also when nothing is healthy', 0, 3, 0, false],
    ['0.5 of 1 in 2: at the threshold is protected', 1, 2, 0.5, true],
    ['0.8 of 4 in 5: equal as 32-bit floats', 4, 5, 0.8, true],
    ['0.7 of 7 in 10: equal as 32-bit floats', 7, 10, 0.7, true],
    ['above the threshold is not', 2, 3, 0.5, false],
    ['1 protects always', 5, 5, 1, true],
    ['negative never', 0, 5, -1, false],
    ['an empty list never', 0, 0, 1, false],
    ['no number never', 0, 5, Number.NaN, false],
  ])('%s', (_, healthy, all, threshold, expected) => {
    expect(isProtecting(healthy, all, threshold)).toBe(expected);
  });
});

describe('a list', () => {
  const mixed: Host[] = [
    { name: 'a' },
    { name: 'b', healthy: false },
    { name: 'c', enabled: false },
    { name: 'd', cluster: 'C1' },
  ];

  it('leaves out disabled instances, and unhealthy ones when asked', () => {
    expect(names(viewOf(mixed))).toBe('abd');
    expect(names(viewOf(mixed), { healthyOnly: true })).toBe('ad');
  });

  it('of v1 counts disabled instances and filters health after protection', () => {
    const view = viewOf(
      [
        { name: 'a', healthy: false },
        { name: 'b', enabled: false },
      ],
      0.5,
    );
    expect(names(view, { healthyOnly: true })).toBe('a!');
  });

  it('of 2.x leaves disabled ones out first and filters health before protection', () => {
    const view = viewOf(
      [
        { name: 'a', healthy: false },
        { name: 'b', enabled: false },
      ],
      0.5,
    );
    expect(names(view, { dialect: 'v2' })).toBe('a!');
    expect(names(view, { dialect: 'v2', healthyOnly: true })).toBe('');
  });

  it('follows the wanted clusters: unknown names are skipped, repeated ones repeat, names are not trimmed', () => {
    const view = viewOf(mixed);
    expect(names(view, { clusters: 'C1' })).toBe('d');
    expect(names(view, { clusters: 'C1,,nowhere' })).toBe('d');
    expect(names(view, { clusters: 'C1,C1' })).toBe('dd');
    expect(names(view, { clusters: ' C1' })).toBe('');
  });

  it('asked for healthy hosts never holds an unhealthy one unless protected', () => {
    const host = fc.record({ name: fc.constantFrom('a', 'b', 'c'), healthy: fc.boolean(), enabled: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(host, { maxLength: 8 }),
        fc.constantFrom<ListDialect>('v1', 'v2'),
        fc.double({ min: -1, max: 2, noNaN: true }),
        (hosts, dialect, threshold) => {
          const view = viewOf(hosts, threshold);
          const selected = selectHosts(view, { clusters: [], healthyOnly: true, dialect });
          expect(selected.hosts.every((each) => each.enabled)).toBe(true);
          if (!selected.protecting) expect(selected.hosts.every((each) => each.healthy)).toBe(true);
        },
      ),
    );
  });
});
