// An answer as a handler gives it to either lane, and the forms that occur.

import type { PreparedHead } from './prepared-head.js';

/** Media type of text answers. */
export const TEXT = 'text/plain;charset=UTF-8';
/** Media type of JSON answers; Nacos 1.4.8 and later name no charset. */
export const JSON_TYPE = 'application/json';

/** One answer. Immutable; may be given many times (prepared answers are). */
export interface HttpAnswer {
  /** 200 to 599. */
  readonly status: number;
  /** Value of `Content-Type`; empty for an answer without one. */
  readonly contentType: string;
  /** Body bytes; never written to once the answer is given. */
  readonly body: Uint8Array;
  /** More headers, names in their usual spelling, without those the lanes write themselves (length, date, connection). */
  readonly headers?: readonly (readonly [string, string])[];
  /** When true, the lane sends the answer only after the journal of this turn is written. */
  readonly afterJournal?: boolean;
  /** Sent instead when the journal could not be written. Default: the refusal of v1. */
  readonly whenUnwritten?: HttpAnswer;
  /** Where the lanes keep the encoded form of an answer that is given again and again, see {@link preparedAnswer}. */
  readonly prepared?: PreparedHead;
}

/** A handler answers at once, or later when it waits for the store or for subscribers. */
export type HttpHandler<R> = (request: R) => HttpAnswer | Promise<HttpAnswer>;

/** What an answer may have beside status and body. */
export type AnswerExtras = Pick<HttpAnswer, 'headers' | 'afterJournal' | 'whenUnwritten'>;

/** An answer with a text. @param status - HTTP status @param body - becomes UTF-8 */
export function textAnswer(status: number, body: string, extras?: AnswerExtras): HttpAnswer {
  return { status, contentType: TEXT, body: Buffer.from(body), ...extras };
}

/** An answer with JSON that is already text. @param status - HTTP status @param body - JSON text, becomes UTF-8 */
export function jsonAnswer(status: number, body: string, extras?: AnswerExtras): HttpAnswer {
  return { status, contentType: JSON_TYPE, body: Buffer.from(body), ...extras };
}
