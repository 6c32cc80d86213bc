// What another node sends may be anything: each input is either a message with only known members, or is refused as a fault;
// nothing else is thrown, and nothing takes long. PEER_FUZZ_INPUTS sets how many (3000 by default, 100000 in CI); a failure
// prints its seed.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsedFrame, readControl } from '../../src/adapters/peer/control-message.js';
import { everyMessage } from '../../src/adapters/peer/every-message.test-support.js';
import { FrameReader, frameOf } from '../../src/adapters/peer/frame-reader.js';
import { PeerFault } from '../../src/adapters/peer/peer-fault.js';
import { readPeerMessage } from '../../src/adapters/peer/peer-message-reader.js';

const INPUTS = Number(process.env.PEER_FUZZ_INPUTS ?? 3000);
const FRAME_BYTES = 64 * 1024;

const strange = fc.constantFrom<unknown>(
  null,
  -1,
  1e308,
  2 ** 53,
  0.5,
  '',
  'x'.repeat(2000),
  true,
  [],
  {},
  [[[[]]]],
  { type: 'ping' },
  Array.from({ length: 300 }, () => 0),
);

/** A valid message with something else at one place. */
const altered = fc
  .tuple(fc.constantFrom(...everyMessage), fc.array(fc.nat(40), { maxLength: 6 }), strange)
  .map(([message, path, value]) => {
    const copy = JSON.parse(JSON.stringify(message));
    let parent = copy;
    for (const step of path) {
      const keys = Object.keys(parent);
      const key = keys[step % Math.max(1, keys.length)];
      if (key === undefined) break;
      if (typeof parent[key] !== 'object' || parent[key] === null) {
        parent[key] = value;
        break;
      }
      parent = parent[key];
    }
    return Buffer.from(JSON.stringify(copy));
  });

/** The bytes of a valid message with some of them changed or cut off. */
const damaged = fc
  .tuple(
    fc.constantFrom(...everyMessage),
    fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 4 }),
    fc.nat(2000),
  )
  .map(([message, changes, length]) => {
    const bytes = Buffer.from(JSON.stringify(message));
    for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
    return length < bytes.length && length > 0 ? bytes.subarray(0, length) : bytes;
  });

const payload = fc.oneof(
  altered,
  damaged,
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** Runs what may refuse. @returns undefined when it did */
function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PeerFault) return undefined;
    throw error;
  }
}

describe('input from other nodes', () => {
  it('is a message or a fault', () => {
    let read = 0;
    fc.assert(
      fc.property(payload, (bytes) => {
        const message = unlessRefused(() => readPeerMessage(parsedFrame(bytes)));
        unlessRefused(() => readControl(bytes, ['hello', 'challenge', 'proof', 'welcome', 'refused', 'received']));
        if (message === undefined) return;
        read += 1;
        expect(readPeerMessage(JSON.parse(JSON.stringify(message)))).toEqual(message);
      }),
      { numRuns: INPUTS },
    );
    expect(read).toBeGreaterThan(INPUTS / 100);
    expect(read).toBeLessThan(INPUTS);
  });

  it('is cut into frames that are no longer than allowed', () => {
    const piece = fc.oneof(
      payload.map(frameOf),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const reader = new FrameReader(FRAME_BYTES);
        unlessRefused(() => {
          for (const bytes of pieces) {
            reader.push(bytes);
            for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
              expect(frame.length).toBeLessThanOrEqual(FRAME_BYTES);
            }
          }
        });
      }),
      { numRuns: INPUTS },
    );
  });
});
