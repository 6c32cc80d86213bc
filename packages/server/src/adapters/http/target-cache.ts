// Request lines that repeat byte for byte, with what they lead to. They are found by a hash of their bytes and compared byte by
// byte, which is faster than making a string of them and finding that in a map (docs/adr/0002-two-http-lanes.md).

import type { TargetMemo } from './http-request.js';
import type { ResolvedTarget } from './resolved-target.js';

const LF = 0x0a;
/** Longer request lines are not kept: nobody sends them all day. */
const KEPT_LINE_BYTES = 4096;
/** Larger bodies are not kept. */
const KEPT_BODY_BYTES = 2048;
/** When fewer lines are found than missed, only one in this many is kept: a set that does not fit then keeps a part of itself. */
const SPARSE = 16;
/** Slots of a new generation; it doubles while it is more than half full. */
const FIRST_SLOTS = 256;

/** A request line that is kept. */
export interface KeptTarget {
  readonly resolved: ResolvedTarget;
  /** The line with its CR LF. */
  readonly line: Buffer;
  readonly hash: number;
  /** The last body that came with the line; see {@link TargetCache.memoFor}. */
  body: KeptBody | undefined;
}

interface KeptBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly memo: TargetMemo;
}

/** Bound of one generation of a {@link TargetCache}. */
export interface TargetCacheLimits {
  /** Lines. 0 turns the cache off. */
  readonly targets: number;
  /** Bytes of the lines and of the bodies that came with them. */
  readonly bytes: number;
}

/** Open addressing: one array look-up finds a line, where a map takes several. Nothing is removed from a generation. */
class Generation {
  size = 0;
  bytes = 0;
  #slots: (KeptTarget | undefined)[] = emptySlots(FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;

  find(hash: number, bytes: Buffer, start: number, end: number): KeptTarget | undefined {
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const kept = this.#slots[slot];
      if (kept === undefined) return undefined;
      if (kept.hash === hash && kept.line.length === end - start && kept.line.compare(bytes, start, end) === 0)
        return kept;
    }
  }

  add(kept: KeptTarget): void {
    if (this.size * 2 >= this.#slots.length) this.#grow();
    this.size++;
    this.bytes += bytesOf(kept);
    this.#place(kept);
  }

  #place(kept: KeptTarget): void {
    let slot = kept.hash & this.#mask;
    while (this.#slots[slot] !== undefined) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = kept;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = emptySlots(before.length * 2);
    this.#mask = this.#slots.length - 1;
    for (const kept of before) {
      if (kept !== undefined) this.#place(kept);
    }
  }
}

/**
 * Keeps request lines in two generations: when the young one is full it becomes the old one, and what is used again moves
 * back. So at most twice the bound is kept, lines in use stay, and nothing has to be sorted.
 */
export class TargetCache {
  readonly #limits: TargetCacheLimits;
  #young = new Generation();
  #old = new Generation();
  #hash = 0;
  /** Lines found and missed since the generations changed last. */
  #found = 0;
  #missed = 0;
  #sparse = false;

  constructor(limits: TargetCacheLimits) {
    this.#limits = limits;
  }

  /** Lines kept now, in both generations. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Finds the request line that begins at a place. @returns undefined when it is not kept, or not complete */
  find(bytes: Buffer, at: number): KeptTarget | undefined {
    const end = bytes.indexOf(LF, at) + 1;
    if (end === 0 || end - at > KEPT_LINE_BYTES) return undefined;
    this.#hash = hashOf(bytes, at, end);
    let kept = this.#young.find(this.#hash, bytes, at, end);
    if (kept === undefined) {
      kept = this.#old.find(this.#hash, bytes, at, end);
      if (kept === undefined) return undefined;
      this.#insert(kept);
    }
    this.#found++;
    return kept;
  }

  /**
   * Offers the request line that {@link find} has just missed.
   *
   * @param at - index of its first byte
   * @param end - index behind its LF
   * @returns the line as it is kept from now on; undefined when it is not
   */
  offer(bytes: Buffer, at: number, end: number, resolved: ResolvedTarget): KeptTarget | undefined {
    this.#missed++;
    if (this.#limits.targets === 0 || end - at > KEPT_LINE_BYTES) return undefined;
    if (this.#sparse && this.#missed % SPARSE !== 0) return undefined;
    const line = Buffer.from(bytes.subarray(at, end));
    const kept: KeptTarget = { resolved, line, hash: this.#hash, body: undefined };
    this.#insert(kept);
    return kept;
  }

  /**
   * The memo of a request with a body: that of the last one, when line, body and content type are the same, else a new one.
   *
   * @returns undefined when the body is too large to be kept
   */
  memoFor(kept: KeptTarget, body: Buffer, contentType: string | undefined): TargetMemo | undefined {
    const last = kept.body;
    if (last !== undefined && last.contentType === contentType && last.bytes.equals(body)) return last.memo;
    if (body.length > KEPT_BODY_BYTES) return undefined;
    const memo: TargetMemo = { value: undefined };
    kept.body = { bytes: Buffer.from(body), contentType, memo };
    this.#young.bytes += body.length - (last?.bytes.length ?? 0);
    return memo;
  }

  #insert(kept: KeptTarget): void {
    const { targets, bytes } = this.#limits;
    if (this.#young.size >= targets || this.#young.bytes + bytesOf(kept) > bytes) {
      this.#sparse = this.#found < this.#missed;
      this.#found = 0;
      this.#missed = 0;
      this.#old = this.#young;
      this.#young = new Generation();
    }
    this.#young.add(kept);
  }
}

function bytesOf(kept: KeptTarget): number {
  return kept.line.length + (kept.body?.bytes.length ?? 0);
}

function emptySlots(length: number): (KeptTarget | undefined)[] {
  return new Array<KeptTarget | undefined>(length).fill(undefined);
}

/** 32 bits that depend on every byte, low ones too, since they choose the slot. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = end - start;
  let i = start;
  for (; i + 3 < end; i += 4) {
    const word =
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x9e3779b1);
  return hash ^ (hash >>> 13);
}
