import { describe, expect, it } from 'vitest';
import { probeAddress } from './probe-target-rule.js';

describe('probeAddress', () => {
  it.each(['127.0.0.1', '10.1.2.3', '192.168.0.9', '172.16.0.1', '8.8.8.8', '100.100.100.201', '::1', 'fd00::1'])(
    'allows %s',
    (ip) => {
      expect(probeAddress(ip)).toBe(ip);
    },
  );

  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::',
    'ff02::1',
  ])('refuses %s', (ip) => {
    expect(probeAddress(ip)).toBeUndefined();
  });

  it.each(['::ffff:169.254.169.254', '0:0:0:0:0:ffff:a9fe:a9fe', '::a9fe:a9fe', '64:ff9b::a9fe:a9fe'])(
    'refuses the metadata address written as %s',
    (ip) => {
      expect(probeAddress(ip)).toBeUndefined();
    },
  );

  it('writes an IPv4-mapped address as IPv4', () => {
    expect(probeAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
  });

  it('knows no names, and no numbers that resolvers read as addresses', () => {
    expect(probeAddress('localhost')).toBeUndefined();
    expect(probeAddress('2852039166')).toBeUndefined();
  });
});
