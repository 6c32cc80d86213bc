// The argument `<ip:port>`.

import { expect, it } from 'vitest';
import { addressText, parseAddress } from './instance-address.js';

it.each([
  ['10.0.0.1:8080', '10.0.0.1', 8080],
  ['node-17.example:0', 'node-17.example', 0],
  ['[2001:db8::1]:65535', '2001:db8::1', 65535],
  ['[[2001:db8::1]]:80', '[2001:db8::1]', 80],
])('reads %s and prints it the same', (text, ip, port) => {
  expect(parseAddress(text)).toEqual({ ip, port });
  expect(addressText({ ip, port })).toBe(text);
});

it.each([
  '10.0.0.1',
  '10.0.0.1:',
  '10.0.0.1:x',
  '10.0.0.1:65536',
  '2001:db8::1:80',
  '[]:80',
  '[[]]:80',
  '[[::1]:80',
  '[::1]]:80',
  ':80',
  '',
])('refuses %j', (text) => {
  expect(() => parseAddress(text)).toThrow(`"${text}"`);
});
