import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldBlock } from './field-block.js';
import { FieldDecoder } from './field-decoder.js';
import { Http2Error } from './http2-error.js';

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

function decoded(decoder: FieldDecoder, block: Uint8Array): string[] {
  const fields: string[] = [];
  decoder.decode(block, ({ name, value }) => fields.push(`${name}: ${value}`));
  return fields;
}

const GET = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
const COOKIE = 'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1';

describe('FieldDecoder', () => {
  it.each([
    ['plain (RFC 7541 C.3)', '828684410f7777772e6578616d706c652e636f6d', '828684be58086e6f2d6361636865'],
    ['Huffman (RFC 7541 C.4)', '828684418cf1e3c2e5f23a6ba0ab90f4ff', '828684be5886a8eb10649cbf'],
  ])('reads requests in %s', (_, first, second) => {
    const decoder = new FieldDecoder();
    expect(decoded(decoder, bytesOf(first))).toEqual(GET);
    expect(decoded(decoder, bytesOf(second))).toEqual([...GET, 'cache-control: no-cache']);
  });

  it('throws old fields out of a small table (RFC 7541 C.6)', () => {
    const decoder = new FieldDecoder();
    const sizeOf256 = '3fe101';
    const at = (second: number) => `date: Mon, 21 Oct 2013 20:13:2${second} GMT`;
    const location = 'location: https://www.example.com';
    const first =
      '488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3';
    expect(decoded(decoder, bytesOf(sizeOf256 + first))).toEqual([
      ':status: 302',
      'cache-control: private',
      at(1),
      location,
    ]);
    expect(decoded(decoder, bytesOf('4883640effc1c0bf'))).toEqual([
      ':status: 307',
      'cache-control: private',
      at(1),
      location,
    ]);
    const third =
      '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007';
    expect(decoded(decoder, bytesOf(third))).toEqual([
      ':status: 200',
      'cache-control: private',
      at(2),
      location,
      'content-encoding: gzip',
      COOKIE,
    ]);
    // 215 of 256 bytes are used by the last three; what was older is gone.
    expect(decoded(decoder, bytesOf('be'))).toEqual([COOKIE]);
    expect(() => decoded(decoder, bytesOf('c1'))).toThrow(/names nothing/);
  });

  it.each([
    ['an index of nothing', '80'],
    ['an index beyond the table', 'be'],
    ['a number without end', 'ffffffffffffffffff'],
    ['a cut number', 'ff80'],
    ['a cut string', '400a61'],
    ['a cut field', '40'],
    ['a table above 4096 bytes', '3fe21f'],
    ['a change of the table behind fields', '8220'],
    ['the end of a string in Huffman code', '408261ff84ffffffff'],
    ['a padding of zeros', '00816100 8118'],
    ['a padding of a byte', '008161 82 18ff'],
  ])('refuses %s', (_, hex) => {
    expect(() => decoded(new FieldDecoder(), bytesOf(hex))).toThrow(Http2Error);
  });

  it('reads what is written, for any text of Latin-1', () => {
    const text = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(fc.array(fc.record({ name: text, value: text }), { maxLength: 5 }), (fields) => {
        expect(decoded(new FieldDecoder(), fieldBlock(fields))).toEqual(
          fields.map(({ name, value }) => `${name}: ${value}`),
        );
      }),
    );
  });

  it('throws nothing but its own error, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 4 }), (blocks) => {
        const decoder = new FieldDecoder();
        try {
          for (const block of blocks) decoded(decoder, block);
        } catch (error) {
          expect(error).toMatchObject({ code: 'COMPRESSION_ERROR' });
        }
      }),
      { numRuns: 5000 },
    );
  });
});
