import { execFileSync } from 'node:child_process';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pushPacketHead, pushPacketTail } from '@rollcall/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PushDatagram } from './push-datagram.js';

const NUMBER = 1_767_225_600_000_123;
const packetOf = (list: string, number: number) => pushPacketHead(list) + pushPacketTail(number);
const bytesOf = (datagram: PushDatagram, number: number) => Buffer.concat([...datagram.parts(number)]);
/** A list whose packet has exactly this many bytes. */
const listOfPacket = (bytes: number) => `"${'x'.repeat(bytes - Buffer.byteLength(packetOf('""', NUMBER)))}"`;

describe('a push datagram', () => {
  it('is plain below 1024 bytes and gzip from there on', () => {
    expect(bytesOf(new PushDatagram(listOfPacket(1023)), NUMBER).toString()).toBe(packetOf(listOfPacket(1023), NUMBER));
    const compressed = bytesOf(new PushDatagram(listOfPacket(1024)), NUMBER);
    expect(compressed.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    expect(gunzipSync(compressed).toString()).toBe(packetOf(listOfPacket(1024), NUMBER));
  });

  it('holds any list with any number', () => {
    const list = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4000 }),
      fc.string({ maxLength: 40 }).map((text) => text.repeat(2000)),
    );
    const numbers = fc.array(fc.integer({ min: 10 ** 15, max: Number.MAX_SAFE_INTEGER }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(list, numbers, (text, wanted) => {
        const datagram = new PushDatagram(text);
        for (const number of wanted) {
          const bytes = bytesOf(datagram, number);
          const packet = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
          expect(packet.toString()).toBe(packetOf(text, number));
        }
      }),
    );
  });

  it('shares its bytes between numbers', () => {
    const datagram = new PushDatagram(listOfPacket(5000));
    const [shared, end] = datagram.parts(NUMBER);
    expect(datagram.parts(NUMBER)[1]).toBe(end);
    expect(datagram.parts(NUMBER + 1)[0]).toBe(shared);
    expect(datagram.parts(NUMBER + 1)[1]).not.toEqual(end);
  });

  it('is hardly larger than if it were compressed as one', () => {
    const hosts = Array.from({ length: 300 }, (_, n) => ({
      ip: `10.0.${n >> 8}.${n & 255}`,
      port: 8080,
      id: n * 7919,
    }));
    const list = JSON.stringify({ hosts });
    const whole = gzipSync(packetOf(list, NUMBER)).length;
    expect(bytesOf(new PushDatagram(list), NUMBER).length).toBeLessThan(whole + 50);
  });

  it('is read by the gzip program', () => {
    const list = listOfPacket(3000);
    const read = execFileSync('gzip', ['-dc'], { input: bytesOf(new PushDatagram(list), NUMBER) });
    expect(read.toString()).toBe(packetOf(list, NUMBER));
  });
});
