import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFlatObject } from './json-scan.js';
import { jsonText } from './json-text.js';
import { DEFAULT_LIMITS } from './limits.js';
import { checkMetadata, metadataBytes, metadataJson, parseMetadata, utf8Length } from './metadata-text.js';
import { refusalOf } from './refusal.test-support.js';
import { RegistryError } from './registry-error.js';

const parse = (text: string): [string, string][] => [...parseMetadata(text, DEFAULT_LIMITS)];

describe('parseMetadata', () => {
  test.each<[string, [string, string][]]>([
    ['', []],
    [' ', []],
    ['null', []],
    ['{}', []],
    ['{ }', []],
    ['{"a":"b"}', [['a', 'b']]],
    [
      '{"n":1,"t":true,"f":false,"d":1.50,"e":1e3,"m":-0}',
      [
        ['n', '1'],
        ['t', 'true'],
        ['f', 'false'],
        ['d', '1.50'],
        ['e', '1e3'],
        ['m', '-0'],
      ],
    ],
    ['{"a":null,"b":"c"}', [['b', 'c']]],
    ['{"a":"b"} x', [['a', 'b']]],
    ['{"a":"1","a":"2"}', [['a', '2']]],
    [
      '{"z":"1","b":"2","10":"4","9":"5"}',
      [
        ['z', '1'],
        ['b', '2'],
        ['10', '4'],
        ['9', '5'],
      ],
    ],
    ['{"__proto__":"x"}', [['__proto__', 'x']]],
    [
      '{"名":"值！\\"\'","emoji":"😀"}',
      [
        ['名', '值！"\''],
        ['emoji', '😀'],
      ],
    ],
    [
      '{"k":"a+b","p":"100%","q":"%41"}',
      [
        ['k', 'a+b'],
        ['p', '100%'],
        ['q', '%41'],
      ],
    ],
    [
      '{"methods":"get,set,del","v":"a=b"}',
      [
        ['methods', 'get,set,del'],
        ['v', 'a=b'],
      ],
    ],
    ['{"a":""}', [['a', '']]],
    [
      'a=b,c=d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a=b,', [['a', 'b']]],
    [
      'a= b , c =d',
      [
        ['a', ' b '],
        [' c ', 'd'],
      ],
    ],
    ['=b', [['', 'b']]],
    ['名=值', [['名', '值']]],
  ])('%j', (text, entries) => {
    expect(parse(text)).toEqual(entries);
  });

  test.each([
    'a',
    'a=',
    'a=b=c',
    'a=b,,c=d',
    ',a=b',
    'junk',
    '[]',
    '"x"',
    '123',
    '{"a":{"b":1}}',
    '{"a":{"b":"c=d"}}',
    '{"a":[1]}',
    "{'a':'b'}",
    '{"a":"b"',
    '{"a":"b",}',
    '{"a" "b"}',
    '{a:"b"}',
    '{"a":01}',
    '{"a":tru}',
    '{"a":"\\x"}',
    '{"a":"\\u00"}',
    '{"a":"line\nbreak"}',
    '{',
  ])('%j is refused with its text', (text) => {
    expect(refusalOf(() => parse(text))).toBe(`invalid-metadata: metadata format incorrect:${text}`);
  });

  test('reads back what it wrote, keys of any kind included', () => {
    const map = fc
      .array(fc.tuple(fc.string({ unit: 'binary', maxLength: 6 }), fc.string({ unit: 'binary', maxLength: 10 })), {
        maxLength: 8,
      })
      .map((entries) => new Map(entries));
    fc.assert(
      fc.property(map, (metadata) => {
        expect(parse(metadataJson(metadata))).toEqual([...metadata]);
      }),
    );
  });

  test('reads scalars as a JSON parser does, but for their spelling', () => {
    const scalar = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.integer(), fc.boolean());
    const object = fc.dictionary(fc.string({ unit: 'binary', maxLength: 5 }), scalar, { noNullPrototype: true });
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const read = readFlatObject(JSON.stringify(value, undefined, indent), 100);
        expect(read && Object.fromEntries(read)).toEqual(
          Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, String(entry)])),
        );
      }),
    );
  });

  test('any text gives entries or a refusal', () => {
    const nearlyJson = fc.array(
      fc.constantFrom('{', '}', '"', ':', ',', 'a', '\\', '=', '1', 'null', ' ', '[', '\u0001'),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          nearlyJson.map((parts) => parts.join('')),
        ),
        (text) => {
          try {
            expect(parse(text)).toBeInstanceOf(Array);
          } catch (error) {
            expect(error).toBeInstanceOf(RegistryError);
          }
        },
      ),
    );
  });

  test('a long value needs no stack', () => {
    const value = 'x'.repeat(3_000_000);
    expect(readFlatObject(`{"a":"${value}"}`, 1)?.get('a')?.length).toBe(value.length);
  });
});

describe('limits', () => {
  test('bytes are those of UTF-8, keys and values together', () => {
    const limits = { metadataBytes: 10, metadataKeys: 5 };
    expect(parseMetadata('{"键":"1234567"}', limits).size).toBe(1);
    expect(refusalOf(() => parseMetadata('{"键":"12345678"}', limits))).toBe(
      "limit-exceeded: Param 'metadata' is illegal, found 11 bytes of keys and values, allowed are 10",
    );
  });

  test('keys are counted', () => {
    const limits = { metadataBytes: 1000, metadataKeys: 2 };
    expect(parseMetadata('a=1,b=2', limits).size).toBe(2);
    const refusal = "limit-exceeded: Param 'metadata' is illegal, found more than 2 keys, allowed are 2";
    expect(refusalOf(() => parseMetadata('a=1,b=2,c=3', limits))).toBe(refusal);
    expect(refusalOf(() => parseMetadata('{"a":1,"b":2,"c":3,"d":4}', limits))).toBe(refusal);
  });

  test('64 KiB by default, more than Dubbo needs', () => {
    expect(() => checkMetadata(new Map([['a', 'x'.repeat(65535)]]), DEFAULT_LIMITS)).not.toThrow();
    expect(refusalOf(() => checkMetadata(new Map([['a', 'x'.repeat(65536)]]), DEFAULT_LIMITS))).toContain(
      'found 65537 bytes',
    );
  });
});

test('utf8Length is the length of what an encoder gives', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', 'é', '😀', '\udc00x'), (text, tail) => {
      expect(utf8Length(text + tail)).toBe(new TextEncoder().encode(text + tail).length);
    }),
  );
  expect(metadataBytes(new Map([['é', '😀']]))).toBe(6);
});

test('jsonText is read back by any JSON parser, and holds no lone surrogate', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '\ud800', '\udc00', '"\\\n', '\u2028'),
      (text, tail) => {
        const json = jsonText(text + tail);
        expect(JSON.parse(json)).toBe(text + tail);
        expect(json).toBe(new TextDecoder().decode(new TextEncoder().encode(json)));
      },
    ),
  );
});
