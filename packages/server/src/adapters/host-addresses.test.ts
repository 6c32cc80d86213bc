import type { NetworkInterfaceInfo } from 'node:os';
import { ManualClock } from '@rollcall/runtime/testing';
import { expect, it } from 'vitest';
import { HostAddresses } from './host-addresses.js';

const interfaceOf = (address: string) => [{ address } as NetworkInterfaceInfo];

it('puts the addresses of this host together, and no others', () => {
  const hosts = new HostAddresses(new ManualClock(), () => ({
    lo: [...interfaceOf('127.0.0.1'), ...interfaceOf('::1')],
    eth0: interfaceOf('10.0.0.5'),
    down: undefined,
  }));
  expect(hosts.sameHost('10.0.0.5')).toEqual(['10.0.0.5', '127.0.0.1', '::1']);
  expect(hosts.sameHost('127.0.0.1')).toEqual(['127.0.0.1', '::1', '10.0.0.5']);
  expect(hosts.sameHost('127.0.1.1')).toEqual(['127.0.1.1', '127.0.0.1', '::1', '10.0.0.5']);
  expect(hosts.sameHost('10.0.0.6')).toEqual(['10.0.0.6']);
});

it('looks at the interfaces again after 10 s', () => {
  const clock = new ManualClock();
  let reads = 0;
  const hosts = new HostAddresses(clock, () => {
    reads += 1;
    return { eth0: interfaceOf(`10.0.0.${reads}`), lo: interfaceOf('127.0.0.1') };
  });
  expect(hosts.sameHost('127.0.0.1')).toEqual(['127.0.0.1', '10.0.0.1']);
  clock.advance(9_999);
  expect(hosts.sameHost('127.0.0.1')).toEqual(['127.0.0.1', '10.0.0.1']);
  clock.advance(1);
  expect(hosts.sameHost('127.0.0.1')).toEqual(['127.0.0.1', '10.0.0.2']);
  expect(reads).toBe(2);
});
