// The network between all machines of a history, clients included: packets that are late, lost, doubled or overtaken, paths
// that are cut in one direction or both, and receivers that read slowly. Everything is drawn from one seeded stream.

import type { EventQueue } from './event-queue.js';
import type { SeededRandom } from './seeded-random.js';

/** How packets fare on paths that are not cut. Probabilities from 0 to 1. */
export interface PathQuality {
  readonly delayMinMs: number;
  readonly delayMaxMs: number;
  readonly loss: number;
  readonly duplicates: number;
  /** Share of packets that come late by up to `lateMaxMs`, and so after those sent later. */
  readonly late: number;
  readonly lateMaxMs: number;
}

/** A network without faults. */
export const SOUND_PATHS: PathQuality = {
  delayMinMs: 1,
  delayMaxMs: 15,
  loss: 0,
  duplicates: 0,
  late: 0,
  lateMaxMs: 0,
};

/** Bytes that may wait on the way to a slow receiver; what comes on top is dropped, as a bounded queue drops. */
const SLOW_QUEUE_BYTES_MAX = 64 * 1024;

/** What can be on the way. */
export interface Packet {
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  /** `stream`: sent again until it is there, in one piece. `once`: as it comes. */
  readonly delivery: 'stream' | 'once';
}

/** A lost piece of a stream is sent again after this, then after twice that, and so on. */
const RESEND_MS = 200;
const RESENDS_MAX = 5;

/** A machine that reads slowly, and what waits for it. */
class SlowReader {
  readonly bytesPerSecond: number;
  readonly waiting: { readonly bytes: number; readonly read: () => void }[] = [];
  waitingBytes = 0;

  constructor(bytesPerSecond: number) {
    this.bytesPerSecond = bytesPerSecond;
  }
}

/** Paths between machines, named by their addresses. */
export class PacketNetwork {
  readonly #queue: EventQueue;
  readonly #random: SeededRandom;
  readonly #cuts = new Map<string, number>();
  readonly #slow = new Map<string, SlowReader>();
  #quality: PathQuality = SOUND_PATHS;

  constructor(queue: EventQueue, random: SeededRandom) {
    this.#queue = queue;
    this.#random = random;
  }

  /** How packets fare from now on. */
  setQuality(quality: PathQuality): void {
    this.#quality = quality;
  }

  /** Cuts the way from one machine to another; cuts of the same way add up. */
  cut(from: string, to: string): void {
    const path = `${from}>${to}`;
    this.#cuts.set(path, (this.#cuts.get(path) ?? 0) + 1);
  }

  /** Takes one cut of a way back. */
  mend(from: string, to: string): void {
    const path = `${from}>${to}`;
    const left = (this.#cuts.get(path) ?? 0) - 1;
    if (left > 0) this.#cuts.set(path, left);
    else this.#cuts.delete(path);
  }

  /** Whether nothing gets from one machine to another. */
  isCut(from: string, to: string): boolean {
    return this.#cuts.size > 0 && this.#cuts.has(`${from}>${to}`);
  }

  /** A machine reads what others send to it at a rate; undefined: as fast as it comes. */
  setReadingRate(machine: string, bytesPerSecond: number | undefined): void {
    const before = this.#slow.get(machine);
    this.#slow.delete(machine);
    if (bytesPerSecond !== undefined) this.#slow.set(machine, new SlowReader(bytesPerSecond));
    for (const { read } of before?.waiting ?? []) read();
  }

  /** The process of a machine has ended: what waited for it is not read any more, it meets a closed connection now. */
  closeConnections(machine: string): void {
    const slow = this.#slow.get(machine);
    if (slow !== undefined) this.setReadingRate(machine, slow.bytesPerSecond);
  }

  /** Takes all faults back. */
  heal(): void {
    this.#cuts.clear();
    for (const machine of [...this.#slow.keys()]) this.setReadingRate(machine, undefined);
    this.#quality = SOUND_PATHS;
  }

  /** Sends a packet, which may arrive never, once or twice. */
  send(packet: Packet, deliver: () => void): void {
    if (this.isCut(packet.from, packet.to)) return;
    const { loss, duplicates } = this.#quality;
    if (packet.delivery === 'stream') {
      this.#deliver(packet, deliver, this.#resendMs());
      return;
    }
    if (loss > 0 && this.#random.chance(loss)) return;
    this.#deliver(packet, deliver, 0);
    if (duplicates > 0 && this.#random.chance(duplicates)) this.#deliver(packet, deliver, 0);
  }

  #resendMs(): number {
    const { loss } = this.#quality;
    let waitMs = 0;
    for (let resend = 0; resend < RESENDS_MAX && loss > 0 && this.#random.chance(loss); resend += 1)
      waitMs += RESEND_MS * 2 ** resend;
    return waitMs;
  }

  /** What is under way when a cut begins is lost, too. */
  #deliver(packet: Packet, deliver: () => void, resendMs: number): void {
    this.#queue.after(this.#delayMs() + resendMs, () => {
      if (this.isCut(packet.from, packet.to)) return;
      const slow = this.#slow.get(packet.to);
      if (slow === undefined) deliver();
      else this.#wait(slow, packet.bytes, deliver);
    });
  }

  #wait(slow: SlowReader, bytes: number, read: () => void): void {
    if (slow.waitingBytes + bytes > SLOW_QUEUE_BYTES_MAX) return;
    slow.waiting.push({ bytes, read });
    slow.waitingBytes += bytes;
    if (slow.waiting.length === 1) this.#readNext(slow);
  }

  #readNext(slow: SlowReader): void {
    const [first] = slow.waiting;
    if (first === undefined) return;
    this.#queue.after(Math.ceil((first.bytes / slow.bytesPerSecond) * 1000), () => {
      // Not when all that waited was read at once, because the reader is slow no longer.
      if (slow.waiting[0] !== first || ![...this.#slow.values()].includes(slow)) return;
      slow.waiting.shift();
      slow.waitingBytes -= first.bytes;
      first.read();
      this.#readNext(slow);
    });
  }

  #delayMs(): number {
    const { delayMinMs, delayMaxMs, late, lateMaxMs } = this.#quality;
    const usual = this.#random.integer(delayMinMs, delayMaxMs);
    return late > 0 && this.#random.chance(late) ? usual + this.#random.integer(0, lateMaxMs) : usual;
  }
}
