// Request lines that repeat byte for byte, with what they lead to. They are found by a hash of their bytes and compared byte by
// byte, which is faster than making a string of them and finding that in a map (docs/adr/0002-two-http-lanes.md).

import type { FastRequest, Resolvable } from './fast-request.js';
import type { TargetMemo } from './http-request.js';
import type { ResolvedTarget } from './resolved-target.js';
import type { AnswerRoute } from './route.js';

const LF = 0x0a;
/** What stands behind the target. */
const LINE_END = ' HTTP/1.1\r\n';
/** Longer request lines are not kept: nobody sends them all day. */
const KEPT_LINE_BYTES = 4096;
/** Larger bodies are not kept. */
const KEPT_BODY_BYTES = 2048;
/** When fewer lines are found than missed, only one in this many is kept: a set that does not fit then keeps a part of itself. */
const SPARSE = 16;
/** Room for each client, of which each has a beat or a poll; some to spare, since a line in use is in one generation only. */
const LINES_PER_CLIENT = 1.25;
/** Slots of a new generation; it doubles while it is more than half full. */
const FIRST_SLOTS = 256;

/** Finds what a method and a target lead to. */
export type ResolveTarget = (method: string, target: string) => ResolvedTarget;

/**
 * A request line that is kept, with the last body that came with it. It is the memo of its handler at the same time: once
 * that holds something, the decoded line is let go, since who repeats a line is answered from the memo.
 */
export class KeptTarget implements TargetMemo, Resolvable {
  readonly hash: number;
  readonly route: AnswerRoute;
  /** Bytes of the line, CR LF included. */
  readonly lineLength: number;
  readonly #resolve: ResolveTarget;
  /** Line and body one behind the other. */
  #copy: Buffer;
  #contentType: string | undefined;
  #resolved: ResolvedTarget | undefined;
  #value: unknown = undefined;

  /** @param line - a copy of the line @param hash - of its bytes @param resolve - finds again what was let go */
  constructor(fields: {
    readonly line: Buffer;
    readonly hash: number;
    readonly route: AnswerRoute;
    readonly resolved: ResolvedTarget;
    readonly resolve: ResolveTarget;
  }) {
    this.#copy = fields.line;
    this.lineLength = fields.line.length;
    this.hash = fields.hash;
    this.route = fields.route;
    this.#resolved = fields.resolved;
    this.#resolve = fields.resolve;
  }

  get value(): unknown {
    return this.#value;
  }

  set value(value: unknown) {
    this.#value = value;
    if (value !== undefined && this.#copy.length === this.lineLength) this.#resolved = undefined;
  }

  get resolved(): ResolvedTarget {
    return this.#resolved ?? this.#resolveAnew();
  }

  #resolveAnew(): ResolvedTarget {
    const { method } = this.route;
    const target = this.#copy.toString('latin1', method.length + 1, this.lineLength - LINE_END.length);
    return this.#resolve(method, target);
  }

  /** Bytes kept. */
  get bytes(): number {
    return this.#copy.length;
  }

  /** Whether the same line stands at a place of other bytes, which hold at least as many from there. */
  standsAt(bytes: Buffer, at: number): boolean {
    return this.#copy.compare(bytes, at, at + this.lineLength, 0, this.lineLength) === 0;
  }

  /** Whether the last body was the same. Without body the content type means nothing. */
  hasBody(bytes: Buffer, start: number, end: number, contentType: string | undefined): boolean {
    if (this.#copy.length - this.lineLength !== end - start) return false;
    if (start === end) return true;
    return this.#contentType === contentType && this.#copy.compare(bytes, start, end, this.lineLength) === 0;
  }

  /** Takes another body in place of the last one; what was remembered of that one is forgotten. */
  setBody(bytes: Buffer, start: number, end: number, contentType: string | undefined): void {
    this.#copy = Buffer.concat([this.#copy.subarray(0, this.lineLength), bytes.subarray(start, end)]);
    this.#contentType = contentType;
    this.#value = undefined;
  }
}

/** Bound of one generation of a {@link TargetCache}. */
export interface TargetCacheLimits {
  /** Lines. 0 turns the cache off. */
  readonly targets: number;
  /** Bytes of the lines and of the bodies that came with them. */
  readonly bytes: number;
  /**
   * Clients that are known, of which each repeats a line or two of its own: both bounds grow with them, so that every beat
   * of a large registry is found, while strangers cannot fill more than the bounds above.
   */
  readonly clients: () => number;
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
      if (kept.hash === hash && kept.lineLength === end - start && kept.standsAt(bytes, start)) return kept;
    }
  }

  add(kept: KeptTarget): void {
    if (this.size * 2 >= this.#slots.length) this.#grow();
    this.size++;
    this.bytes += kept.bytes;
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
  readonly #resolve: ResolveTarget;
  #young = new Generation();
  #old = new Generation();
  #hash = 0;
  /** Lines found and missed since the generations changed last. */
  #found = 0;
  #missed = 0;
  #sparse = false;

  /** @param resolve - what a line leads to, for lines of which only the bytes are kept */
  constructor(limits: TargetCacheLimits, resolve: ResolveTarget) {
    this.#limits = limits;
    this.#resolve = resolve;
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
   * @returns the line as it is kept from now on; undefined when it is not, as when its route is not marked as repeated
   */
  offer(bytes: Buffer, at: number, end: number, resolved: ResolvedTarget): KeptTarget | undefined {
    const { route } = resolved;
    if (route === undefined || route.stream === true || route.repeated !== true) return undefined;
    this.#missed++;
    if (this.#limits.targets === 0 || end - at > KEPT_LINE_BYTES) return undefined;
    if (this.#sparse && this.#missed % SPARSE !== 0) return undefined;
    const line = Buffer.from(bytes.subarray(at, end));
    const kept = new KeptTarget({ line, hash: this.#hash, route, resolved, resolve: this.#resolve });
    this.#insert(kept);
    return kept;
  }

  /**
   * The memo of a request: what was remembered when line, body and content type are those of the request before with this
   * line, else nothing yet.
   *
   * @returns undefined when the body is too large to be kept
   */
  memoFor(kept: KeptTarget, request: FastRequest): TargetMemo | undefined {
    const { bytes, bodyStart: start, bodyEnd: end } = request;
    const contentType = start === end ? undefined : request.header('content-type');
    if (kept.hasBody(bytes, start, end, contentType)) return kept;
    if (end - start > KEPT_BODY_BYTES) return undefined;
    const before = kept.bytes;
    kept.setBody(bytes, start, end, contentType);
    this.#young.bytes += kept.bytes - before;
    return kept;
  }

  #insert(kept: KeptTarget): void {
    const { size, bytes } = this.#young;
    if (this.#isFull(size, bytes + kept.bytes)) {
      this.#sparse = this.#found < this.#missed;
      this.#found = 0;
      this.#missed = 0;
      this.#old = this.#young;
      this.#young = new Generation();
    }
    this.#young.add(kept);
  }

  #isFull(size: number, bytes: number): boolean {
    const limits = this.#limits;
    if (size < limits.targets && bytes <= limits.bytes) return false;
    const targets = limits.targets + LINES_PER_CLIENT * limits.clients();
    return size >= targets || bytes > limits.bytes * (targets / limits.targets);
  }
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
