import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeaderBlock } from './header-block.js';
import { RequestHead } from './request-head.js';

const head = new RequestHead();
const read = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'latin1');
  expect(head.readHeaders(bytes, 0)).toBe('complete');
  return bytes;
};
const kept = (text: string): HeaderBlock => HeaderBlock.copied(read(text), head) as HeaderBlock;
const block = (id: string, length = 0): string => `Host: x\r\nRequestId: ${id}\r\nContent-Length: ${length}\r\n\r\n`;

describe('HeaderBlock', () => {
  it('stands where the same bytes are', () => {
    const first = kept(block('aa'));
    expect(first.standsAt(Buffer.from(`..${block('aa')}`), 2)).toBe(true);
    expect(first.standsAt(Buffer.from(`..${block('aa')}`), 1)).toBe(false);
    expect(first.standsAt(Buffer.from(block('ab')), 0)).toBe(false);
    expect(first.standsAt(Buffer.from(block('aa').slice(0, -1)), 0)).toBe(false);
  });

  it('learns which value varies', () => {
    const first = kept(block('aa'));
    expect(first.header(read(block('aa')), 0, 'requestid')).toBe('aa');
    const second = read(block('ab'));
    expect(first.learn(second, head)).toBe(true);
    expect(first.header(second, 0, 'requestid')).toBe('ab');
    const third = Buffer.from(block('zz'));
    expect(first.standsAt(third, 0)).toBe(true);
    expect([first.header(third, 0, 'requestid'), first.header(third, 0, 'host')]).toEqual(['zz', 'x']);
  });

  it.each([
    ['a byte that no value has', 'a\n'],
    ['a line break', '\r\n'],
    ['NUL', 'a\0'],
  ])('does not take %s for a value', (_name, value) => {
    const first = kept(block('aa'));
    first.learn(read(block('ab')), head);
    expect(first.standsAt(Buffer.from(block(value)), 0)).toBe(false);
  });

  it('stands with another length of the body, as long as it has as many digits', () => {
    const first = kept(block('aa', 10));
    const second = Buffer.from(block('aa', 27));
    expect([first.standsAt(second, 0), first.contentLengthAt(second, 0)]).toEqual([true, 27]);
    expect(first.header(second, 0, 'content-length')).toBe('27');
    for (const length of ['07', '7 ', '-1', '0x']) {
      const other = block('aa', 10).replace('10', length);
      expect(first.standsAt(Buffer.from(other), 0)).toBe(false);
    }
  });

  it('learns which value varies beside the length of the body', () => {
    const first = kept(block('aa', 10));
    expect(first.learn(read(block('ab', 11)), head)).toBe(true);
    const third = Buffer.from(block('zz', 99));
    expect([first.standsAt(third, 0), first.contentLengthAt(third, 0)]).toEqual([true, 99]);
  });

  it('does not stand with a body that is too long', () => {
    const first = kept(block('aa', 10_000));
    expect(first.standsAt(Buffer.from(block('aa', 65_536)), 0)).toBe(true);
    expect(first.standsAt(Buffer.from(block('aa', 65_537)), 0)).toBe(false);
  });

  it.each([
    ['a value with a meaning', block('aa').replace('Host: x', 'Host: y')],
    ['two values', block('ab').replace('Host: x', 'Host: y')],
    ['a name', block('aa').replace('RequestId', 'RequestIx')],
    ['the number of bytes', block('aaa')],
  ])('does not learn that %s varies', (_name, text) => {
    expect(kept(block('aa')).learn(read(text), head)).toBe(false);
  });

  it('does not keep a large block', () => {
    expect(HeaderBlock.copied(read(block('a'.repeat(3000))), head)).toBeUndefined();
  });

  it('reads a block that it takes for the kept one as the parser reads it', () => {
    const byte = fc.constantFrom('a', 'b', ' ', ':', '\r', '\n', '\t', '0', '1');
    const value = fc.string({ unit: byte, minLength: 2, maxLength: 2 });
    const text = fc.tuple(value, value).map(([a, b]) => `Host: x\r\nA: ${a}\r\nContent-Length: ${b}\r\n\r\n`);
    const first = kept('Host: x\r\nA: aa\r\nContent-Length: 10\r\n\r\n');
    first.learn(read('Host: x\r\nA: bb\r\nContent-Length: 10\r\n\r\n'), head);
    fc.assert(
      fc.property(text, (other) => {
        const bytes = Buffer.from(other, 'latin1');
        if (!first.standsAt(bytes, 0)) return;
        expect(head.readHeaders(bytes, 0)).toBe('complete');
        expect([head.bodyStart, head.contentLength]).toEqual([first.length, first.contentLengthAt(bytes, 0)]);
      }),
      { numRuns: 2000 },
    );
  });
});
