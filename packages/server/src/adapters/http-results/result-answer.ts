// Answers of HTTP v2 and v3 in their envelope. Source: http-v2-v3 contract 2.2, 3.1.

import {
  badResultJson,
  errorMapping,
  errorResultJson,
  GOOD_RESULT_FRAME,
  goodResultJson,
  type RegistryError,
} from '@rollcall/protocol';
import { preparedAnswer } from '../http/answer-head.js';
import { type AnswerExtras, type HttpAnswer, JSON_TYPE, jsonAnswer } from '../http/http-answer.js';
import { JOURNAL_ERROR } from '../http/journal-gate.js';
import { slicedJsonArray } from '../http/sliced-json.js';
import type { Acknowledgement } from '../instance-changes/acknowledgement.js';

/** What every answer of v2 and v3 has that acknowledges a change which is journalled: should that fail, it is refused in the envelope. */
export const JOURNALLED_EXTRAS: AnswerExtras = { afterJournal: true, whenUnwritten: errorResult(JOURNAL_ERROR) };

const OK_JSON = goodResultJson('"ok"');
const OK: Readonly<Record<Acknowledgement, HttpAnswer>> = {
  written: preparedAnswer(jsonAnswer(200, OK_JSON)),
  journalled: preparedAnswer(jsonAnswer(200, OK_JSON, JOURNALLED_EXTRAS)),
};

/** The answer `"ok"` of what changes something; `journalled` waits for the journal of this turn. */
export function okResult(acknowledgement: Acknowledgement): HttpAnswer {
  return OK[acknowledgement];
}

/** A good answer. @param dataJson - what was asked for, JSON text */
export function goodResult(dataJson: string): HttpAnswer {
  return jsonAnswer(200, goodResultJson(dataJson));
}

/** A good answer that acknowledges a change, once it is journalled. */
export function journalledResult(dataJson: string): HttpAnswer {
  return jsonAnswer(200, goodResultJson(dataJson), JOURNALLED_EXTRAS);
}

/**
 * A good answer with a list that may be long: others get their turn while it is written.
 *
 * @param write - gives the JSON of an entry
 * @param around - what stands before and after the array inside the data
 */
export async function listResult<T>(
  entries: Iterable<T>,
  write: (entry: T) => string,
  around: readonly [before: string, after: string] = ['', ''],
): Promise<HttpAnswer> {
  const items = await slicedJsonArray(entries, write);
  const [before, after] = GOOD_RESULT_FRAME;
  const body = Buffer.concat([Buffer.from(before + around[0]), items, Buffer.from(around[1] + after)]);
  return { status: 200, contentType: JSON_TYPE, body };
}

/** The envelope of a refusal, with the HTTP status of its code. */
export function errorResult(error: RegistryError): HttpAnswer {
  return jsonAnswer(errorMapping(error.code).httpStatus, errorResultJson(error));
}

/**
 * Code 30000, `server error`: what older exceptions of Nacos become, whatever their status (contract 3.1).
 *
 * @param status - HTTP status, 400 to 599
 * @param detail - goes to `data`
 */
export function serverErrorResult(status: number, detail: string): HttpAnswer {
  const { resultCode, resultText } = errorMapping('internal');
  return jsonAnswer(status, badResultJson(resultCode, resultText, detail));
}
