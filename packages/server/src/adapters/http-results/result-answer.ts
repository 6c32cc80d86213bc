// Answers of HTTP v2 and v3 in their envelope. Source: http-v2-v3 contract 2.2, 3.1.

import { badResultJson, errorMapping, errorResultJson, goodResultJson, type RegistryError } from '@rollcall/protocol';
import { preparedAnswer } from '../http/answer-head.js';
import { type AnswerExtras, type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { Acknowledgement } from '../instance-changes/acknowledgement.js';

const OK_JSON = goodResultJson('"ok"');
const OK: Readonly<Record<Acknowledgement, HttpAnswer>> = {
  written: preparedAnswer(jsonAnswer(200, OK_JSON)),
  journalled: preparedAnswer(jsonAnswer(200, OK_JSON, { afterJournal: true })),
};

/** The answer `"ok"` of what changes something; `journalled` waits for the journal of this turn. */
export function okResult(acknowledgement: Acknowledgement): HttpAnswer {
  return OK[acknowledgement];
}

/** A good answer. @param dataJson - what was asked for, JSON text */
export function goodResult(dataJson: string, extras?: AnswerExtras): HttpAnswer {
  return jsonAnswer(200, goodResultJson(dataJson), extras);
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
