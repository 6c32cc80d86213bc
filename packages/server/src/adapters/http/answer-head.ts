// Status line and headers of an answer, the same bytes from both lanes: one list of headers, written here or by Node.

import type { HttpAnswer } from './http-answer.js';

/** The encoded form of one answer that is given again and again; written by the lanes alone. */
export class PreparedHead {
  /** Second of the `Date` header in {@link bytes}. */
  second = -1;
  /** Head and body for a connection that stays open; undefined until first used. */
  bytes: Buffer | undefined;
}

/** Marks an answer as given many times, so that its encoded form is kept. @param answer - not changed afterwards */
export function preparedAnswer(answer: HttpAnswer): HttpAnswer {
  return { ...answer, prepared: new PreparedHead() };
}
