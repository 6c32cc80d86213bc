// How much nodes say: bounded per pair and second, where a scenario says so. A beat at its holder causes no message at all
// (issue 8, 1.2); pings have a rhythm.

import type { Expectations } from '../scenario.js';
import { type Checker, type MessageSent, Violation } from './checker.js';

const SECOND_MS = 1000;

/** Counts messages. */
export class TrafficChecker implements Checker {
  readonly rule = 'traffic';
  readonly #expects: Expectations;
  readonly #counts = new Map<string, { second: number; count: number }>();

  constructor(expects: Expectations) {
    this.#expects = expects;
  }

  onMessage({ at, from, to }: MessageSent): void {
    const { messagesPerSecondMax } = this.#expects;
    if (messagesPerSecondMax === undefined) return;
    const pair = `${from}>${to}`;
    const second = Math.floor(at / SECOND_MS);
    const counted = this.#counts.get(pair);
    const count = counted?.second === second ? counted.count + 1 : 1;
    this.#counts.set(pair, { second, count });
    if (count > messagesPerSecondMax)
      throw new Violation(
        this.rule,
        `node ${from} sends node ${to} more than ${messagesPerSecondMax} messages a second`,
      );
  }
}
