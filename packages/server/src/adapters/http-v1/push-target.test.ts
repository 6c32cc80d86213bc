import { expect, it } from 'vitest';
import { pushTarget } from './push-target.js';

it.each([
  ['without a named address', '', '198.51.100.7', '198.51.100.7'],
  ['its own public address', '198.51.100.7', '198.51.100.7', '198.51.100.7'],
  ['a private address of a private requester', '10.1.2.3', '192.168.0.9', '10.1.2.3'],
  ['a private address of a local requester', '172.31.0.1', '127.0.0.1', '172.31.0.1'],
  ['loopback of a private requester', '127.0.0.1', '10.0.0.1', '127.0.0.1'],
  ['a unique local IPv6 address', 'fd00::5', '::1', 'fd00::5'],
  ['a private address of a public requester', '10.1.2.3', '198.51.100.7', undefined],
  ['a public address of a private requester', '198.51.100.7', '10.1.2.3', undefined],
  ['another public address', '198.51.100.8', '198.51.100.7', undefined],
  ['a host name', 'localhost', '127.0.0.1', undefined],
  ['no address', '10.1', '127.0.0.1', undefined],
  ['just outside 172.16/12', '172.32.0.1', '127.0.0.1', undefined],
  ['a link-local address', '169.254.169.254', '127.0.0.1', undefined],
  ['a multicast address', '224.0.0.1', '127.0.0.1', undefined],
  ['the broadcast address', '255.255.255.255', '127.0.0.1', undefined],
])('%s', (_, clientIp, requester, target) => {
  expect(pushTarget(clientIp, requester)).toBe(target);
});
