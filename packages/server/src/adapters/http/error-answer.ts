// The answer to a refused request in the style of HTTP v1: real status, bare message as text (product.md rule 3).

import { errorMapping, type RegistryError } from '@rollcall/protocol';
import { type HttpAnswer, textAnswer } from './http-answer.js';

/** Status and message of an error. v2 and v3 handlers answer with their envelope instead and never let an error get here. */
export function errorAnswer(error: RegistryError): HttpAnswer {
  return textAnswer(errorMapping(error.code).httpStatus, error.message);
}
