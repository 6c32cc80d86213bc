// What both sides of a connection derive from the secret of the cluster and from the first two frames: proofs that they
// know it, and keys for the seals. The secret itself is never sent, and the nonces make every connection another.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type FrameSeal, frameSeal, NO_SEAL } from './frame-seal.js';

/** Which side: the one that dialled, or the one that accepted. */
export type HandshakeSide = 'dialler' | 'accepter';

/** Proofs and seals of one connection. */
export interface HandshakeKeys {
  /** Shows that the side knows the secret; empty without one. */
  proofOf(side: HandshakeSide): string;
  /** Whether a proof is that of the side. */
  isProof(side: HandshakeSide, proof: string): boolean;
  /** The seal of what the side sends. */
  sealOf(side: HandshakeSide): FrameSeal;
}

/** 32 random hexadecimal digits. */
export function newNonce(): string {
  return randomBytes(16).toString('hex');
}

/**
 * The keys of one connection.
 *
 * @param secret - undefined when something else (TLS), or nothing, vouches for the peer
 * @param hello - first frame of the dialler
 * @param challenge - first frame of the accepter
 */
export function handshakeKeys(secret: string | undefined, hello: Buffer, challenge: Buffer): HandshakeKeys {
  if (secret === undefined) {
    return { proofOf: () => '', isProof: (_, proof) => proof === '', sealOf: () => NO_SEAL };
  }
  const derive = (use: string): Buffer =>
    createHmac('sha256', secret)
      .update(`${use} ${hello.length} ${challenge.length}\n`)
      .update(hello)
      .update(challenge)
      .digest();
  return {
    proofOf: (side) => derive(`${side} proof`).toString('hex'),
    isProof: (side, proof) =>
      /^[0-9a-f]{64}$/.test(proof) && timingSafeEqual(Buffer.from(proof, 'hex'), derive(`${side} proof`)),
    sealOf: (side) => frameSeal(derive(`${side} seal`)),
  };
}
