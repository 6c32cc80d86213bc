// The envelope of HTTP v2 and v3: `{"code","message","data"}`, code 0 for good answers.
// Source: Nacos 2.5.1 and 3.0.3 Result, ErrorCode; http-v2-v3 contract 2.2 and 3.1.

import { errorMapping } from '../error-code.js';
import { jsonText } from '../json-text.js';
import type { RegistryError } from '../registry-error.js';

/** Code of every good answer. */
export const RESULT_GOOD_CODE = 0;

/** What stands before and after the data of a good answer. */
export const GOOD_RESULT_FRAME: readonly [before: string, after: string] = [
  `{"code":${RESULT_GOOD_CODE},"message":"success","data":`,
  '}',
];

/** A good answer. @param dataJson - what was asked for, JSON text */
export function goodResultJson(dataJson: string): string {
  return GOOD_RESULT_FRAME.join(dataJson);
}

/**
 * An answer that is not good.
 *
 * @param code - number from the table of codes (contract 3.3)
 * @param message - fixed text of that code
 * @param data - the details; null when there are none
 */
export function badResultJson(code: number, message: string, data: string | null): string {
  return `{"code":${code},"message":${jsonText(message)},"data":${data === null ? 'null' : jsonText(data)}}`;
}

/** The envelope of an error. Its HTTP status is that of the error's mapping. */
export function errorResultJson({ code, message }: RegistryError): string {
  const { resultCode, resultText } = errorMapping(code);
  return badResultJson(resultCode, resultText, code === 'kind-conflict' ? printedException(message) : message);
}

/** Clashes of kinds come from an exception that prints its own code around the text, trailing blank included. */
function printedException(message: string): string {
  return `errCode: 400, errMsg: ${message} `;
}
