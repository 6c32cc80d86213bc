import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFormText, decodeTargetBytes } from './percent-decoding.js';

describe('decodeFormText', () => {
  test.each([
    ['plain', 'plain'],
    ['a+b', 'a b'],
    ['a%2Bb', 'a+b'],
    ['100%25', '100%'],
    ['%2541', '%41'],
    ['%E6%9C%8D', '服'],
    ['%e6%9c%8d', '服'],
    ['%ff%fe', '\ufffd\ufffd'],
    ['a%ffb', 'a\ufffdb'],
    ['服%20务', '服 务'],
    ['%00', '\u0000'],
    ['%ef%bb%bf%ff', '\ufeff\ufffd'],
    ['é%ff', 'é\ufffd'],
    ['', ''],
  ])('%j is %j', (text, decoded) => {
    expect(decodeFormText(text)).toBe(decoded);
  });

  test.each(['%', '%z', '%zz', 'a%2', '%%', '%ff%', '%u0041', '%+1'])('%j is broken', (text) => {
    expect(decodeFormText(text)).toBeUndefined();
  });

  test('is the inverse of percent-encoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeFormText(encodeURIComponent(text))).toBe(text);
      }),
    );
  });

  test('reads any bytes as a UTF-8 decoder does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const text = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
        expect(decodeFormText(text)).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
      }),
    );
  });
});

describe('decodeTargetBytes', () => {
  test.each([
    ['a=b', 'a=b'],
    ['a=\u00e6\u009c\u008d', 'a=服'],
    ['a=服', 'a=服'],
    ['a=\u00ff', 'a=\ufffd'],
  ])('%j is %j', (target, text) => {
    expect(decodeTargetBytes(target)).toBe(text);
  });
});
