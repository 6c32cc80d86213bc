// What one connection was pushed and has not acknowledged, and what has to wait for that: of each subscription the newest
// only. So neither the kernel nor this process ever holds more lists for a client than it takes.

import type { StreamPush } from './stream-push.js';

interface Sent {
  readonly service: string;
  readonly bytes: number;
}

/** The pushes of one connection. */
export class PushBacklog {
  readonly #bytesMax: number;
  readonly #sent = new Map<number, Sent>();
  /** Number of the last push of each service that waits for its acknowledgement. */
  readonly #numbers = new Map<string, number>();
  #sentBytes = 0;
  #postponed: Map<string, StreamPush> | undefined;
  #waitsSince = 0;

  /** @param bytesMax - bytes that may be unacknowledged; one list of any size always goes */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Whether a list may be sent now. */
  hasRoomFor(bytes: number): boolean {
    return this.#sentBytes === 0 || this.#sentBytes + bytes <= this.#bytesMax;
  }

  /** A list was sent. What was sent of the same service before counts no more: it is not sent again. */
  add({ subscriber, number }: StreamPush, bytes: number): void {
    const service = subscriber.service.id;
    const before = this.#numbers.get(service);
    if (before !== undefined) this.#remove(before);
    this.#sent.set(number, { service, bytes });
    this.#numbers.set(service, number);
    this.#sentBytes += bytes;
  }

  /** The client has answered. @param now - monotonic ms */
  acknowledge(number: number, now: number): void {
    this.#remove(number);
    this.#waitsSince = now;
  }

  /** A list has to wait, in place of an older one. @param now - monotonic ms */
  postpone(push: StreamPush, now: number): void {
    if (this.#postponed === undefined) {
      this.#postponed = new Map();
      this.#waitsSince = now;
    }
    this.#postponed.set(push.subscriber.service.id, push);
  }

  /** Takes one of those that wait. */
  takePostponed(): StreamPush | undefined {
    const push = this.#postponed?.values().next().value;
    if (push === undefined) return undefined;
    this.#postponed?.delete(push.subscriber.service.id);
    if (this.#postponed?.size === 0) this.#postponed = undefined;
    return push;
  }

  /** For how long something has waited without any acknowledgement, ms. @param now - monotonic ms */
  waitsMs(now: number): number {
    return this.#postponed === undefined ? 0 : now - this.#waitsSince;
  }

  #remove(number: number): void {
    const sent = this.#sent.get(number);
    if (sent === undefined) return;
    this.#sent.delete(number);
    this.#numbers.delete(sent.service);
    this.#sentBytes -= sent.bytes;
  }
}
