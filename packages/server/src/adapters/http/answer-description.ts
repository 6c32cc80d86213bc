// What the API description says of the good answer of a route.

import type { JsonSchema } from './answer-schema.js';

/** The good answer of a route: status 200, one of some media types, and what its body is. */
export interface AnswerDescription {
  /** Without parameters; the first is the usual one. */
  readonly mediaTypes: readonly [string, ...string[]];
  readonly schema: JsonSchema;
}

/** An answer with JSON. */
export function jsonBody(schema: JsonSchema): AnswerDescription {
  return { mediaTypes: ['application/json'], schema };
}

/** An answer with a text. @param mediaType - default `text/plain` */
export function textBody(schema: JsonSchema, mediaType = 'text/plain'): AnswerDescription {
  return { mediaTypes: [mediaType], schema };
}
