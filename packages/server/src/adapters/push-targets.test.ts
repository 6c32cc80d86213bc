import { describe, expect, it } from 'vitest';
import { PushTargets, readSubnet } from './push-targets.js';

/** This host has two addresses, one of them public. */
const hosts = { sameHost: (ip: string) => (OWN.includes(ip) ? [ip, ...OWN] : [ip]) };
const OWN = ['127.0.0.1', '203.0.113.1'];

describe('a push target', () => {
  it.each([
    ['without a named address', '', '198.51.100.7', '198.51.100.7'],
    ['its own public address', '198.51.100.7', '198.51.100.7', '198.51.100.7'],
    ['its own address, written otherwise', '2001:db8:0:0:0:0:0:1', '2001:db8::1', '2001:db8::1'],
    ['its own address, IPv4 as IPv6', '::ffff:198.51.100.7', '198.51.100.7', '198.51.100.7'],
    ['a private address of a private requester', '10.1.2.3', '192.168.0.9', '10.1.2.3'],
    ['a private address of a local requester', '172.31.0.1', '127.0.0.1', '172.31.0.1'],
    ['loopback of a private requester', '127.0.0.1', '10.0.0.1', '127.0.0.1'],
    ['a unique local IPv6 address', 'fd00:0::5', '::1', 'fd00::5'],
    ['the public address of this host for a client on it', '203.0.113.1', '127.0.0.1', '203.0.113.1'],
    ['a listed address', '192.0.2.200', '198.51.100.7', '192.0.2.200'],
    ['a listed subnet of IPv6', '2001:db8:7::9', '198.51.100.7', '2001:db8:7::9'],
  ])('may be %s', (_, clientIp, requester, ip) => {
    const targets = new PushTargets(hosts, ['192.0.2.200', '2001:db8:7::/48']);
    expect(targets.find(clientIp, requester)).toEqual({ allowed: true, ip });
  });

  it.each([
    ['a private address of a public requester', '10.1.2.3', '198.51.100.7', 'address-not-allowed'],
    ['a public address of a private requester', '198.51.100.7', '10.1.2.3', 'address-not-allowed'],
    ['another public address', '198.51.100.8', '198.51.100.7', 'address-not-allowed'],
    ['the public address of this host for a client elsewhere', '203.0.113.1', '198.51.100.7', 'address-not-allowed'],
    ['an address just outside 172.16/12', '172.32.0.1', '127.0.0.1', 'address-not-allowed'],
    ['a link-local address', '169.254.169.254', '127.0.0.1', 'address-not-allowed'],
    ['a multicast address', '224.0.0.1', '127.0.0.1', 'address-not-allowed'],
    ['the broadcast address', '255.255.255.255', '127.0.0.1', 'address-not-allowed'],
    ['the unspecified address', '0.0.0.0', '127.0.0.1', 'address-not-allowed'],
    ['a host name', 'localhost', '127.0.0.1', 'address-not-literal'],
    ['what a Java client without a host name sends', 'resolve_failed', '127.0.0.1', 'address-not-literal'],
    ['half an address', '10.1', '127.0.0.1', 'address-not-literal'],
  ])('may not be %s', (_, clientIp, requester, reason) => {
    expect(new PushTargets(hosts).find(clientIp, requester)).toEqual({ allowed: false, reason });
  });
});

describe('readSubnet', () => {
  it('reads addresses and subnets of both families', () => {
    expect(readSubnet('10.0.0.0/8')).toEqual({ address: '10.0.0.0', prefix: 8, family: 'ipv4' });
    expect(readSubnet('10.0.0.1')).toEqual({ address: '10.0.0.1', prefix: 32, family: 'ipv4' });
    expect(readSubnet('FD00::/8')).toEqual({ address: 'fd00::', prefix: 8, family: 'ipv6' });
    expect(readSubnet('::1')).toEqual({ address: '::1', prefix: 128, family: 'ipv6' });
  });

  it.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/-1', '*'])(
    '%j is no subnet',
    (text) => {
      expect(readSubnet(text)).toBeUndefined();
    },
  );
});
