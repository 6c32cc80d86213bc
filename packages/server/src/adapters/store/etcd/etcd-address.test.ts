import { expect, test } from 'vitest';
import { readEtcdAddress } from './etcd-address.js';

test.each([
  ['etcd://10.0.0.1:2379', ['10.0.0.1:2379'], '/rollcall/'],
  ['etcd://a,b.example:1, c/', ['a:2379', 'b.example:1', 'c:2379'], '/rollcall/'],
  ['etcd://[::1]:2379/registry/east/', ['[::1]:2379'], '/registry/east/'],
])('"%s" is an address', (text, endpoints, root) => {
  expect(readEtcdAddress(text)).toEqual({ endpoints, root });
});

test.each([
  '',
  'etcd://',
  'etcd:///root',
  'http://a:2379',
  'etcd://a:0',
  'etcd://a:65536',
  'etcd://a,,b',
  'etcd://a b',
  'etcd://a/x//y',
  'etcd://a/ä',
  `etcd://${Array.from({ length: 33 }, () => 'a').join(',')}`,
])('"%s" is none', (text) => {
  expect(readEtcdAddress(text)).toBeUndefined();
});
