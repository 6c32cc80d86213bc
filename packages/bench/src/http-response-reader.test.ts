import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpResponseReader } from './http-response-reader.js';

interface Expected {
  readonly status: number;
  readonly body: string;
  readonly chunked: boolean;
  readonly closes: boolean;
}

const answers = fc.array(
  fc.record({
    status: fc.constantFrom(200, 404, 500),
    body: fc.string({ maxLength: 40 }),
    chunked: fc.boolean(),
    closes: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

function encode({ status, body, chunked, closes }: Expected): Buffer {
  const bytes = Buffer.from(body);
  const connection = closes ? 'Connection: close\r\n' : '';
  if (!chunked) {
    return Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status} X\r\n${connection}Content-Length: ${bytes.length}\r\n\r\n`),
      bytes,
    ]);
  }
  const chunk = bytes.length === 0 ? [] : [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')];
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} X\r\n${connection}Transfer-Encoding: chunked\r\n\r\n`),
    ...chunk,
    Buffer.from('0\r\n\r\n'),
  ]);
}

describe('HttpResponseReader', () => {
  it('reads the same answers however the bytes are split', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 30 }), (expected, pieceBytes) => {
        const seen: Omit<Expected, 'chunked'>[] = [];
        const reader = new HttpResponseReader(({ status, body, closes }) =>
          seen.push({ status, body: body.toString(), closes }),
        );
        const stream = Buffer.concat(expected.map(encode));
        const reused = Buffer.alloc(pieceBytes);
        for (let offset = 0; offset < stream.length; offset += pieceBytes) {
          const copied = stream.copy(reused, 0, offset, offset + pieceBytes);
          reader.push(reused.subarray(0, copied));
        }
        expect(seen).toEqual(expected.map(({ status, body, closes }) => ({ status, body, closes })));
      }),
    );
  });

  it('refuses what is no HTTP/1.1 answer', () => {
    const reader = new HttpResponseReader(() => undefined);
    expect(() => reader.push(Buffer.from('SSH-2.0-x\r\n\r\n'))).toThrow('allowed is HTTP/1.1');
  });
});
