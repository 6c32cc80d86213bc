// Virtual time: what is to happen, in order of time and, at one time, in the order in which it was asked for. Time passes
// only by taking the next event, so hours take milliseconds and two runs of the same inputs are the same.

interface Event {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

/** Events in virtual time, ms since the start of the history. */
export class EventQueue {
  readonly #heap: Event[] = [];
  #order = 0;
  #now = 0;

  /** Virtual time, ms since the start. */
  get now(): number {
    return this.#now;
  }

  /** Lets something happen in `ms`; never before what is happening now has ended. */
  after(ms: number, action: () => void): void {
    this.at(this.#now + ms, action);
  }

  /** Lets something happen at a time; a time that has passed is now. */
  at(time: number, action: () => void): void {
    this.#order += 1;
    this.#rise({ at: Math.max(time, this.#now), order: this.#order, action });
  }

  /** Lets all happen that comes up to a time, that time included. */
  runUntil(end: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#takeFirst();
      this.#now = next.at;
      next.action();
    }
    this.#now = Math.max(this.#now, end);
  }

  /**
   * The same where code waits for promises: nothing happens before all has come to rest that the event before has set going.
   *
   * @param settle - undefined when nothing was set going
   */
  async runUntilSettled(end: number, settle: () => Promise<void> | undefined): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#takeFirst();
      this.#now = next.at;
      next.action();
      const settled = settle();
      if (settled !== undefined) await settled;
    }
    this.#now = Math.max(this.#now, end);
  }

  #rise(event: Event): void {
    let index = this.#heap.length;
    this.#heap.push(event);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#heap[parentIndex] as Event;
      if (!isBefore(event, parent)) break;
      this.#heap[index] = parent;
      index = parentIndex;
    }
    this.#heap[index] = event;
  }

  #takeFirst(): void {
    const last = this.#heap.pop() as Event;
    const length = this.#heap.length;
    if (length === 0) return;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      if (childIndex >= length) break;
      const right = this.#heap[childIndex + 1];
      if (right !== undefined && isBefore(right, this.#heap[childIndex] as Event)) childIndex += 1;
      const child = this.#heap[childIndex] as Event;
      if (!isBefore(child, last)) break;
      this.#heap[index] = child;
      index = childIndex;
    }
    this.#heap[index] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
