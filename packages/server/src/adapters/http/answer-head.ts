// Status line and headers of an answer, the same bytes from both lanes: one list of headers, written here or by Node.
// `X-Content-Type-Options` is there because answers quote what clients sent; the other headers of a real server
// (`Vary` for CORS, `Content-Security-Policy`) say nothing about an answer that is no page.

import { STATUS_CODES } from 'node:http';
import type { HttpAnswer } from './http-answer.js';
import { HttpDate } from './http-date.js';
import { PreparedHead } from './prepared-head.js';

/** Larger bodies are written beside their head instead of being copied. */
const JOINED_BODY_BYTES = 16 * 1024;

/** Marks an answer as given many times, so that its encoded form is kept. @param answer - not changed afterwards */
export function preparedAnswer(answer: HttpAnswer): HttpAnswer {
  return { ...answer, prepared: new PreparedHead() };
}

/** Whether the connection stays open after an answer. */
export type Persistence = 'keep-alive' | 'close';

/** What an encoder must know. */
export interface AnswerEncoderOptions {
  /** Where the `Date` comes from; one second late is early enough for it. */
  readonly time: { readonly wallMs: number };
  /** Told to clients in `Keep-Alive`, in whole seconds. */
  readonly idleMs: number;
  /** Headers of every answer, such as `Vary`. */
  readonly commonHeaders: readonly (readonly [string, string])[];
}

/** Encodes the heads of answers. */
export class AnswerEncoder {
  readonly #time: { readonly wallMs: number };
  readonly #date = new HttpDate();
  readonly #commonHeaders: readonly string[];
  readonly #keepAlive: string;

  constructor(options: AnswerEncoderOptions) {
    this.#time = options.time;
    this.#commonHeaders = [...options.commonHeaders.flat(), 'X-Content-Type-Options', 'nosniff'];
    this.#keepAlive = `timeout=${Math.max(1, Math.floor(options.idleMs / 1000))}`;
  }

  /** Name, value, name, value … of all headers, in their order on the wire. */
  headers(answer: HttpAnswer, persistence: Persistence): string[] {
    const list: string[] = [];
    if (answer.contentType !== '') list.push('Content-Type', answer.contentType);
    if (answer.status !== 204) list.push('Content-Length', String(answer.body.length));
    for (const [name, value] of answer.headers ?? []) list.push(name, value);
    list.push(...this.#commonHeaders, 'Date', this.#date.at(this.#time.wallMs), 'Connection', persistence);
    if (persistence === 'keep-alive') list.push('Keep-Alive', this.#keepAlive);
    return list;
  }

  /** Headers of a stream of server-sent events, which has no length. */
  streamHeaders(): string[] {
    const date = this.#date.at(this.#time.wallMs);
    return ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store', ...this.#commonHeaders, 'Date', date];
  }

  /** Status line, headers and the empty line. */
  head(answer: HttpAnswer, persistence: Persistence): string {
    let head = `HTTP/1.1 ${answer.status} ${reasonOf(answer.status)}\r\n`;
    const list = this.headers(answer, persistence);
    for (let i = 0; i < list.length; i += 2) head += `${list[i]}: ${list[i + 1]}\r\n`;
    return `${head}\r\n`;
  }

  /** Head of an answer after which the connection stays open, with the body unless that {@link isLarge}. */
  encode(answer: HttpAnswer): Buffer {
    const { prepared } = answer;
    return prepared === undefined ? this.#encode(answer) : this.#encodePrepared(answer, prepared);
  }

  #encodePrepared(answer: HttpAnswer, prepared: PreparedHead): Buffer {
    const { wallMs } = this.#time;
    if (prepared.bytes !== undefined && prepared.wallMs === wallMs) return prepared.bytes;
    // A new buffer when time has moved on: the old one may still be on its way to a slow reader.
    prepared.bytes = this.#encode(answer);
    prepared.wallMs = wallMs;
    return prepared.bytes;
  }

  #encode(answer: HttpAnswer): Buffer {
    const head = this.head(answer, 'keep-alive');
    if (isLarge(answer)) return Buffer.from(head, 'latin1');
    const bytes = Buffer.allocUnsafe(head.length + answer.body.length);
    bytes.write(head, 0, 'latin1');
    bytes.set(answer.body, head.length);
    return bytes;
  }
}

/** Whether the body of an answer is written beside its head instead of being copied. */
export function isLarge(answer: HttpAnswer): boolean {
  return answer.body.length > JOINED_BODY_BYTES;
}

/** Reason phrase of a status. */
export function reasonOf(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown';
}
