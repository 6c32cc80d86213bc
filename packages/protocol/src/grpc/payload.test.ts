import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameError, frameMessage, MessageCutter } from './message-frame.js';
import { decodePayload, encodePayload, framedPayload } from './payload.js';

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const bytesOf = (...hex: string[]) => Uint8Array.from(Buffer.from(hex.join(''), 'hex'));

describe('a payload', () => {
  it('is written as protobuf says', () => {
    // metadata (2): type (3) "A"; body (3): value (2) "{}"
    expect(Buffer.from(encodePayload('A', '{}')).toString('hex')).toBe('12031a01411a0412027b7d');
  });

  it('is read with headers, address and body, in any order and with unknown fields between', () => {
    const header = '3a060a0141120142'; // headers (7): "A" -> "B"
    const metadata = '1a0141' + header + '42013a'; // type "A", clientIp (8) ":"
    const unknown = '08012101020304050607082d01020304'; // field 1 varint, field 4 fixed64, field 5 fixed32
    const message = bytesOf('1a0412027b7d', unknown, '120e', metadata);
    const payload = decodePayload(message);
    expect([payload.type, payload.clientIp, text(payload.body)]).toEqual(['A', ':', '{}']);
    expect([...payload.headers]).toEqual([['a', 'B']]);
  });

  it('without body or metadata is read as such', () => {
    expect(decodePayload(new Uint8Array(0))).toEqual({ type: '', headers: new Map(), clientIp: '', body: undefined });
  });

  it('in its frame is the same bytes as the two put together', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary', maxLength: 400 }), (type, json) => {
        expect(framedPayload(type, json)).toEqual(frameMessage(encodePayload(type, json)));
      }),
    );
  });

  it('comes back as it was written', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 400 }), (type, json) => {
        const payload = decodePayload(encodePayload(type, json));
        expect([payload.type, text(payload.body)]).toEqual([
          new TextDecoder().decode(new TextEncoder().encode(type)),
          new TextDecoder().decode(new TextEncoder().encode(json)),
        ]);
      }),
    );
  });

  it('is written with the headers and the address of its sender', () => {
    const headers: [string, string][] = [
      ['accessToken', 'ü'.repeat(200)],
      ['app', ''],
    ];
    const payload = decodePayload(encodePayload('A', '{}', { headers, clientIp: '10.0.0.1' }));
    expect([payload.type, payload.clientIp, text(payload.body)]).toEqual(['A', '10.0.0.1', '{}']);
    expect([...payload.headers]).toEqual([
      ['accesstoken', 'ü'.repeat(200)],
      ['app', ''],
    ]);
  });

  it('that is none is refused, whatever the bytes, and nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodePayload(bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'malformed-request' });
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe('MessageCutter', () => {
  it('gives the same messages however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }),
        (messages, cuts) => {
          const stream = Buffer.concat(messages.map((message) => frameMessage(message)));
          const cutter = new MessageCutter(100);
          const got: number[][] = [];
          let at = 0;
          for (const cut of [...cuts, stream.length]) {
            for (const message of cutter.push(stream.subarray(at, at + cut))) got.push([...message]);
            at += cut;
          }
          expect(got).toEqual(messages.map((message) => [...message]));
          expect(cutter.heldBytes).toBe(0);
        },
      ),
    );
  });

  it('refuses compressed and too long messages as soon as their head is there', () => {
    expect(() => new MessageCutter(100).push(bytesOf('01', '00000001', '00'))).toThrow(FrameError);
    expect(() => new MessageCutter(100).push(bytesOf('00', '00000065'))).toThrow(/101 bytes, allowed are 100/);
  });
});
