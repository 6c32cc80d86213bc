import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader, frameOf } from './frame-reader.js';

function allOf(reader: FrameReader): string[] {
  const found: string[] = [];
  for (let payload = reader.next(); payload !== undefined; payload = reader.next()) found.push(payload.toString('hex'));
  return found;
}

describe('frames', () => {
  it('come out as they went in, however they are cut', () => {
    const payload = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.array(payload, { maxLength: 8 }), fc.array(fc.nat(500), { maxLength: 30 }), (payloads, cuts) => {
        const bytes = Buffer.concat(payloads.map((each) => frameOf(Buffer.from(each))));
        const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
        const reader = new FrameReader(300);
        const found: string[] = [];
        let start = 0;
        for (const end of ends) {
          reader.push(bytes.subarray(start, end));
          found.push(...allOf(reader));
          start = end;
        }
        expect(found).toEqual(payloads.map((each) => Buffer.from(each).toString('hex')));
        expect(reader.isInsideFrame).toBe(false);
      }),
    );
  });

  it('are refused by their length, before their content comes', () => {
    const reader = new FrameReader(10);
    reader.push(Buffer.from([0, 0, 0, 11]));
    expect(() => reader.next()).toThrow('sent a frame longer than allowed: 11 bytes, allowed are 10');
  });

  it('are refused when empty', () => {
    const reader = new FrameReader(10);
    reader.push(Buffer.alloc(4));
    expect(() => reader.next()).toThrow('an empty frame');
  });

  it('tell whether one is under way', () => {
    const reader = new FrameReader(10);
    reader.push(frameOf(Buffer.from('abc')).subarray(0, 6));
    expect(reader.next()).toBeUndefined();
    expect(reader.isInsideFrame).toBe(true);
  });
});
