// The answers of one connection of the fast lane, in the order of their requests. One that waits for the journal keeps those
// behind it waiting; all that may leave after one read leave in one write.

import type { Socket } from 'node:net';
import { type AnswerEncoder, isLarge } from './answer-head.js';
import type { HttpAnswer } from './http-answer.js';
import { type AfterJournal, unwrittenAnswer } from './journal-gate.js';
import { closingBytes } from './refusal.js';

/** Answers waiting for the end of a read are written when they reach this. */
const WRITE_BYTES = 64 * 1024;

/** A place in the order; empty until its answer may leave. */
interface HeldAnswer {
  answer: HttpAnswer | undefined;
}

/** What a queue works with. */
export interface AnswerQueueOptions {
  readonly socket: Socket;
  readonly encoder: AnswerEncoder;
  readonly afterJournal: AfterJournal;
  /** Called when the journal lets an answer go; the owner then calls {@link AnswerQueue.flush}. */
  readonly onReleased: () => void;
}

/** Orders, encodes and writes answers. */
export class AnswerQueue {
  readonly #options: AnswerQueueOptions;
  readonly #held: HeldAnswer[] = [];
  /** Bytes to be written; nearly always one piece. */
  #first: Uint8Array | undefined;
  readonly #more: Uint8Array[] = [];
  #outBytes = 0;
  #stalled = false;

  constructor(options: AnswerQueueOptions) {
    this.#options = options;
  }

  /** Answers that wait for the journal, or behind one that does. */
  get waiting(): number {
    return this.#held.length;
  }

  /** Whether the peer leaves answers unread; ends with {@link drained}. */
  get stalled(): boolean {
    return this.#stalled;
  }

  /** Adds the answer to the next request. */
  push(answer: HttpAnswer): void {
    if (answer.afterJournal === true) this.#hold(answer);
    else if (this.#held.length > 0) this.#held.push({ answer });
    else this.#append(answer);
  }

  /** Adds the last answer of a connection, which then says so; anything that still waits is dropped. */
  pushLast(answer: HttpAnswer): void {
    this.#held.length = 0;
    this.#add(closingBytes(this.#options.encoder, answer));
  }

  /** Writes what may leave. @returns whether anything was written */
  flush(): boolean {
    if (this.#held.length > 0) this.#release();
    if (this.#first === undefined) return false;
    this.#write();
    return true;
  }

  /** The socket has written all that it had. */
  drained(): void {
    this.#stalled = false;
  }

  #hold(answer: HttpAnswer): void {
    const held: HeldAnswer = { answer: undefined };
    this.#held.push(held);
    this.#options.afterJournal((error) => {
      held.answer = error === undefined ? answer : unwrittenAnswer(answer);
      this.#options.onReleased();
    });
  }

  #release(): void {
    while (this.#held[0]?.answer !== undefined) this.#append(this.#held.shift()?.answer as HttpAnswer);
  }

  #append(answer: HttpAnswer): void {
    this.#add(this.#options.encoder.encode(answer));
    if (isLarge(answer)) this.#add(answer.body);
    if (this.#outBytes >= WRITE_BYTES) this.#write();
  }

  #add(bytes: Uint8Array): void {
    if (this.#first === undefined) this.#first = bytes;
    else this.#more.push(bytes);
    this.#outBytes += bytes.length;
  }

  #write(): void {
    const first = this.#first;
    if (first === undefined) return;
    const open = this.#more.length === 0 ? this.#options.socket.write(first) : this.#writeMore(first);
    this.#first = undefined;
    this.#outBytes = 0;
    if (!open) this.#stalled = true;
  }

  #writeMore(first: Uint8Array): boolean {
    const { socket } = this.#options;
    const pieces = [first, ...this.#more.splice(0)];
    if (this.#outBytes <= WRITE_BYTES) return socket.write(Buffer.concat(pieces, this.#outBytes));
    socket.cork();
    for (const bytes of pieces) socket.write(bytes);
    socket.uncork();
    return !socket.writableNeedDrain;
  }
}
