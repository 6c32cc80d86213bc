// What happened in a history: always as a hash (invariant I14: the same seed gives the same hash), and as readable lines
// when somebody wants the story.

import { hashOf } from './text-hash.js';

/** Lines of a story kept; the oldest go first. A history that is told has a few thousand. */
const STORY_LINES_MAX = 20_000;

/** Whether lines are kept. They cost more than the history itself, so a failing seed is run again for them. */
export type TraceMode = 'hash' | 'story';

/** The record of one history. */
export class Trace {
  readonly #mode: TraceMode;
  readonly #lines: string[] = [];
  #low = hashOf('low');
  #high = hashOf('high');
  /** Hash of what readers saw and when, 0 to 2^32 - 1; wall clocks are not in it. */
  viewHash = hashOf('views');

  constructor(mode: TraceMode) {
    this.#mode = mode;
  }

  /** Notes that something happened. @param what - text that differs when something else happens */
  note(at: number, what: string): void {
    this.#low = hashOf(what, this.#low ^ at);
    this.#high = Math.imul(this.#high ^ this.#low, 0x9e3779b1) >>> 0;
  }

  /** Notes what readers see. */
  noteView(at: number, what: string): void {
    this.note(at, what);
    this.viewHash = hashOf(what, this.viewHash ^ at);
  }

  /** Adds a line to the story. @param text - only asked for when lines are kept */
  tell(at: number, text: () => string): void {
    if (this.#mode !== 'story') return;
    this.#lines.push(`${(at / 1000).toFixed(3).padStart(8)} s  ${text()}`);
    if (this.#lines.length > STORY_LINES_MAX) this.#lines.shift();
  }

  /** Hash of all that was noted, 16 hexadecimal digits. */
  get hash(): string {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, '0')).join('');
  }

  /** Lines told. */
  get story(): readonly string[] {
    return this.#lines;
  }
}
