// Frames after the handshake carry a seal, so that nobody on the way can change, repeat, leave out or add one: the first
// 16 bytes are the HMAC-SHA-256 (RFC 2104) of a running number and the payload, with a key of this connection and direction.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { PeerFault } from './peer-fault.js';

/** Bytes of a seal. */
export const SEAL_BYTES = 16;

/** Seals frames of one direction of one connection, or opens them. */
export interface FrameSeal {
  /** The payload with its seal in front. */
  seal(payload: Buffer): Buffer;
  /** The payload without it. @throws PeerFault `wrong-secret` when it is not from the peer, or not the next */
  open(sealed: Buffer): Buffer;
}

/** No seal: connections over TLS, and those that are told to be insecure. */
export const NO_SEAL: FrameSeal = { seal: (payload) => payload, open: (sealed) => sealed };

/** The seal of one direction. @param key - secret of this connection and direction */
export function frameSeal(key: Buffer): FrameSeal {
  let number = 0n;
  const next = (payload: Buffer): Buffer => {
    const count = Buffer.allocUnsafe(8);
    count.writeBigUInt64BE(number);
    number += 1n;
    return createHmac('sha256', key).update(count).update(payload).digest().subarray(0, SEAL_BYTES);
  };
  return {
    seal: (payload) => Buffer.concat([next(payload), payload]),
    open(sealed) {
      if (sealed.length <= SEAL_BYTES) throw new PeerFault('malformed', 'a frame without a seal');
      const payload = sealed.subarray(SEAL_BYTES);
      if (timingSafeEqual(sealed.subarray(0, SEAL_BYTES), next(payload))) return payload;
      throw new PeerFault('wrong-secret', 'the seal of a frame does not fit');
    },
  };
}
