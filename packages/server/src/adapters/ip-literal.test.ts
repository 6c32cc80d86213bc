import { describe, expect, it } from 'vitest';
import { ipLiteral } from './ip-literal.js';

describe('ipLiteral', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['FD00::00AB', 'fd00::ab'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['0:0:0:0:0:FFFF:0A00:0001', '10.0.0.1'],
    ['fe80:0::1%eth0', 'fe80::1%eth0'],
  ])('%s is written %s', (text, usual) => {
    expect(ipLiteral(text)).toBe(usual);
  });

  it.each(['', 'localhost', '10.0.0', '010.0.0.1', '10.0.0.1:80', '[::1]', '::1::', '0x7f.1', '1'.repeat(5000)])(
    '%s is none',
    (text) => {
      expect(ipLiteral(text)).toBeUndefined();
    },
  );
});
