import { expect, test } from 'vitest';
import { hostPortText, withoutBrackets } from './host-port.js';

test.each([
  ['10.0.0.1', '10.0.0.1:80', '10.0.0.1'],
  ['node-17.example', 'node-17.example:80', 'node-17.example'],
  ['2001:db8::1', '[2001:db8::1]:80', '2001:db8::1'],
  ['[2001:db8::1]', '[2001:db8::1]:80', '2001:db8::1'],
])('BR-150 %s is part of a URL as %s, and a socket takes %s', (ip, text, bare) => {
  expect(hostPortText(ip, 80)).toBe(text);
  expect(new URL(`http://${text}/`).port).toBe('');
  expect(withoutBrackets(ip)).toBe(bare);
});
