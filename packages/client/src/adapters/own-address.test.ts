import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { ownAddress } from './own-address.js';

const info = (address: string, internal: 'internal' | 'outside'): NetworkInterfaceInfo =>
  ({
    address,
    family: address.includes(':') ? 'IPv6' : 'IPv4',
    internal: internal === 'internal',
  }) as NetworkInterfaceInfo;

const LOOPBACK = [info('127.0.0.1', 'internal'), info('::1', 'internal')];
const LOCAL_IPV6 = [info('fe80::1%eth0', 'outside'), info('fd00::1', 'outside'), info('fec0::1', 'outside')];

describe('BR-150 ownAddress', () => {
  test.each([
    ['the first IPv4 that is not loopback', {}, { lo: LOOPBACK, eth0: [info('10.0.0.5', 'outside')] }, '10.0.0.5', {}],
    [
      'with the global IPv6 beside it',
      {},
      { eth0: [info('10.0.0.5', 'outside'), ...LOCAL_IPV6, info('2001:db8::1', 'outside')] },
      '10.0.0.5',
      { IPv6: '[2001:db8::1]' },
    ],
    [
      'IPv4 alone when asked for',
      { family: 'IPv4' },
      { eth0: [info('10.0.0.5', 'outside'), info('2001:db8::1', 'outside')] },
      '10.0.0.5',
      {},
    ],
    [
      'a global IPv6 in brackets, without zone',
      { family: 'IPv6' },
      { lo: LOOPBACK, eth0: [...LOCAL_IPV6, info('2001:db8::1%eth0', 'outside')] },
      '[2001:db8::1]',
      {},
    ],
    [
      'IPv4 without brackets when there is no global IPv6',
      { family: 'IPv6' },
      { lo: LOOPBACK, eth0: [info('10.0.0.5', 'outside'), ...LOCAL_IPV6] },
      '10.0.0.5',
      {},
    ],
    ['loopback when there is nothing else', {}, { lo: LOOPBACK }, '127.0.0.1', {}],
    [
      'of an interface its IPv4, even loopback',
      { networkInterface: 'lo' },
      { lo: LOOPBACK, eth0: [info('10.0.0.5', 'outside')] },
      '127.0.0.1',
      {},
    ],
    [
      'of an interface without IPv4 its IPv6',
      { networkInterface: 'eth1' },
      { eth1: [info('2001:db8::7', 'outside')] },
      '[2001:db8::7]',
      {},
    ],
  ] as const)('is %s', (_name, choice, interfaces, ip, metadata) => {
    expect(ownAddress(choice, interfaces)).toEqual({ ip, metadata });
  });

  test('refuses an interface that is not there, or has no address, and says what is', () => {
    expect(() => ownAddress({ networkInterface: 'eth9' }, { eth0: [] })).toThrow(
      '"networkInterface" is "eth9", found are "eth0"',
    );
    expect(() => ownAddress({ networkInterface: 'eth0' }, { eth0: [] })).toThrow(
      expect.objectContaining({ code: 'invalid-parameter' }),
    );
  });
});
