import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePushAck } from './push-ack.js';
import { pushPacketHead, pushPacketTail } from './push-packet.js';

const ack = (text: string) => parsePushAck(new TextEncoder().encode(text));

describe('parsePushAck', () => {
  test.each([
    ['{"type": "push-ack", "lastRefTime":"1700000000000123", "data":""}', '1700000000000123'],
    ['{"type":"push-ack","lastRefTime":42,"data":""}', '42'],
    ['{"type": "dump-ack", "lastRefTime": "7", "data":"{\\"a\\":{\\"lastRefTime\\":9}, it\\\'s broken"}', '7'],
    ['{"data":"{\\"lastRefTime\\":9}","lastRefTime" : 5}', '5'],
    ['{"type": "unknown-ack", "lastRefTime":"0", "data":""}', '0'],
  ])('%s has %s', (text, digits) => {
    expect(ack(text)).toEqual({ digits, number: Number(digits) });
  });

  test('keeps digits that no double holds', () => {
    expect(ack('{"lastRefTime":"9007199254740993"}')).toEqual({ digits: '9007199254740993', number: undefined });
  });

  test.each([
    '',
    '{}',
    'lastRefTime',
    '{"lastRefTime":null}',
    '{"lastRefTime":"abc"}',
    '{"lastRefTime":-5}',
    `{"lastRefTime":${'9'.repeat(21)}}`,
  ])('%j has none', (text) => {
    expect(ack(text)).toBeUndefined();
  });

  test('looks at the first bytes only', () => {
    expect(ack(`{"data":"${'x'.repeat(2000)}","lastRefTime":1}`)).toBeUndefined();
    expect(ack(`{"lastRefTime":1,"data":"${'x'.repeat(60_000)}"}`)).toEqual({ digits: '1', number: 1 });
  });

  test('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (datagram) => {
        expect(parsePushAck(datagram)?.digits ?? '0').toMatch(/^\d+$/);
      }),
    );
  });
});

test('the envelope holds the list as text', () => {
  const data = '{"name":"g@@服\\n"}';
  const packet = pushPacketHead(data) + pushPacketTail(123);
  expect(packet).toBe('{"type":"dom","data":"{\\"name\\":\\"g@@服\\\\n\\"}","lastRefTime":123}');
  expect(JSON.parse(packet)).toEqual({ type: 'dom', data, lastRefTime: 123 });
});
