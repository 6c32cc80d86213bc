// Server-sent events over Node's response. A reader that does not keep up is closed: nobody waits for it, and it starts anew.

import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { EventStream, ServerSentEvent } from './event-stream.js';

/** A comment is sent after this silence, so that proxies do not take the connection for dead. */
const SILENCE_MS = 15_000;

/** What a stream works with. */
export interface NodeEventStreamOptions {
  readonly response: ServerResponse;
  /** Name, value, name, value …; see `AnswerEncoder.streamHeaders`. */
  readonly headers: string[];
  /** Bytes that may wait; with more the stream is closed. */
  readonly unsentBytes: number;
}

/** {@link EventStream} of the Node lane. */
export class NodeEventStream implements EventStream {
  readonly #options: NodeEventStreamOptions;
  readonly #callbacks: (() => void)[] = [];
  #started = false;
  #closed = false;
  #lastSentMs: number;

  /** @param nowMs - coarse clock */
  constructor(options: NodeEventStreamOptions, nowMs: number) {
    this.#options = options;
    this.#lastSentMs = nowMs;
    options.response.on('close', () => this.#onClosed());
  }

  /** Whether the head has been sent. */
  get started(): boolean {
    return this.#started;
  }

  /** Sends the head, once. */
  start(): void {
    if (this.#started || this.#closed) return;
    this.#started = true;
    const { response, headers } = this.#options;
    response.writeHead(200, STATUS_CODES[200] as string, headers);
    response.flushHeaders();
  }

  send(event: ServerSentEvent): boolean {
    let text = event.id === undefined ? '' : `id: ${oneLine(event.id)}\n`;
    if (event.event !== undefined) text += `event: ${oneLine(event.event)}\n`;
    for (const line of event.data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`;
    return this.#write(`${text}\n`);
  }

  close(): void {
    if (this.#closed) return;
    this.start();
    this.#options.response.end();
  }

  onClose(callback: () => void): void {
    if (this.#closed) callback();
    else this.#callbacks.push(callback);
  }

  /** Sends a comment after a long silence. @param nowMs - coarse clock */
  sweep(nowMs: number): void {
    if (this.#options.response.writableLength > 0 || nowMs - this.#lastSentMs < SILENCE_MS) return;
    this.#lastSentMs = nowMs;
    this.#write(':\n\n');
  }

  #write(text: string): boolean {
    const { response, unsentBytes } = this.#options;
    if (this.#closed || response.writableEnded) return false;
    this.start();
    if (response.writableLength > unsentBytes) {
      response.destroy();
      return false;
    }
    response.write(text);
    return true;
  }

  #onClosed(): void {
    this.#closed = true;
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, ' ');
}
