// Answers of the lanes themselves to what is no acceptable request; each says what was found and what is allowed.

import { errorMapping } from '@rollcall/protocol';
import type { AnswerEncoder } from './answer-head.js';
import { type HttpAnswer, textAnswer } from './http-answer.js';
import type { HttpSettings } from './http-settings.js';

const MALFORMED = errorMapping('malformed-request').httpStatus;

/** The head is larger than allowed. */
export function headTooLarge(settings: HttpSettings): HttpAnswer {
  const allowed = settings.headBytes;
  return textAnswer(
    errorMapping('head-too-large').httpStatus,
    `Request line and headers exceed ${allowed} bytes, allowed are ${allowed}`,
  );
}

/** The body is larger than allowed. @param foundBytes - declared, or received so far of a body in chunks */
export function bodyTooLarge(settings: HttpSettings, foundBytes: number): HttpAnswer {
  const text = `Request body has ${foundBytes} bytes or more, allowed are ${settings.bodyBytes}`;
  return textAnswer(errorMapping('body-too-large').httpStatus, text);
}

/** A head or body did not arrive in time. */
export function tooSlow(part: 'head' | 'body', allowedMs: number): HttpAnswer {
  return textAnswer(408, `Request ${part} did not arrive within ${allowedMs} ms`);
}

/** The bytes are no request. @param reason - what the parser says, such as `Invalid method encountered` */
export function noRequest(reason: string): HttpAnswer {
  return textAnswer(MALFORMED, `Request cannot be read as HTTP/1.1: ${reason}`);
}

/** A version that this port does not speak in this form. @param found - such as `2.0` */
export function wrongVersion(found: string): HttpAnswer {
  return textAnswer(505, `Request is HTTP/${found}, allowed are HTTP/1.1 and HTTP/1.0`);
}

/** HTTP/1.1 wants exactly one Host. @param found - number of `Host` lines */
export function wrongHosts(found: number): HttpAnswer {
  return textAnswer(MALFORMED, `Request has ${found} "Host" headers, allowed is exactly 1`);
}

/** An expectation that nobody can meet. @param found - value of `Expect` */
export function unknownExpectation(found: string): HttpAnswer {
  return textAnswer(417, `Header "Expect" is "${found.slice(0, 200)}", allowed is "100-continue"`);
}

/** CONNECT asks for a proxy. */
export function noProxy(): HttpAnswer {
  return textAnswer(errorMapping('not-implemented').httpStatus, 'Method "CONNECT" is not offered, this is no proxy');
}

/** Head and body of an answer after which the connection closes. */
export function closingBytes(encoder: AnswerEncoder, answer: HttpAnswer): Buffer {
  return Buffer.concat([Buffer.from(encoder.head(answer, 'close'), 'latin1'), answer.body]);
}
