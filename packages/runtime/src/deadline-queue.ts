// One ordered queue for everything that happens at a time: a binary heap whose entries know their place, so that each
// is in it at most once and can be moved or taken out.

import type { Instant } from './time.js';

/** Something due at a time. The queue owns both fields. */
export interface Deadline {
  /** When it is due; meaningless while not queued. */
  dueAt: Instant;
  /** Place in the heap, -1 while not queued. */
  heapIndex: number;
}

/** Deadlines in order of time; equal times come in the order of the heap, which follows from the inputs alone. */
export class DeadlineQueue<D extends Deadline> {
  readonly #heap: D[] = [];

  /** Number of deadlines queued. */
  get size(): number {
    return this.#heap.length;
  }

  /** Time of the first deadline. */
  first(): Instant | undefined {
    return this.#heap[0]?.dueAt;
  }

  /** Queues the deadline, or moves it when it is queued already. */
  arm(deadline: D, dueAt: Instant): void {
    const { heapIndex } = deadline;
    if (heapIndex < 0) {
      deadline.dueAt = dueAt;
      this.#heap.push(deadline);
      this.#rise(deadline, this.#heap.length - 1);
      return;
    }
    const later = dueAt > deadline.dueAt;
    deadline.dueAt = dueAt;
    if (later) this.#sink(deadline, heapIndex);
    else this.#rise(deadline, heapIndex);
  }

  /** Takes the deadline out; nothing happens when it is not queued. */
  disarm(deadline: D): void {
    const { heapIndex } = deadline;
    if (heapIndex < 0) return;
    deadline.heapIndex = -1;
    const last = this.#heap.pop() as D;
    if (last === deadline) return;
    if (last.dueAt > deadline.dueAt) this.#sink(last, heapIndex);
    else this.#rise(last, heapIndex);
  }

  /** Takes out and returns the first deadline due at or before `now`. */
  popDue(now: Instant): D | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.dueAt > now) return undefined;
    this.disarm(first);
    return first;
  }

  #rise(deadline: D, from: number): void {
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#heap[parentIndex] as D;
      if (parent.dueAt <= deadline.dueAt) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(deadline, index);
  }

  #sink(deadline: D, from: number): void {
    let index = from;
    const length = this.#heap.length;
    for (;;) {
      let childIndex = 2 * index + 1;
      if (childIndex >= length) break;
      let child = this.#heap[childIndex] as D;
      const right = this.#heap[childIndex + 1];
      if (right !== undefined && right.dueAt < child.dueAt) {
        child = right;
        childIndex += 1;
      }
      if (child.dueAt >= deadline.dueAt) break;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(deadline, index);
  }

  #place(deadline: D, index: number): void {
    this.#heap[index] = deadline;
    deadline.heapIndex = index;
  }
}
