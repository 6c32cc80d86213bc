// How a change is acknowledged: at once, with the answer waiting for the journal, or once the store has it.

import type { HttpAnswer } from '../http/http-answer.js';

/** `written`: the change is durable already. `journalled`: the answer waits for the journal of this turn. */
export type Acknowledgement = 'written' | 'journalled';

/** Comes at once where the core alone takes the change, later where the store has to. */
export type Acknowledging = Acknowledgement | Promise<Acknowledgement>;

/** The answer to a change. @param answer - makes it, once it is known how the change is acknowledged */
export function acknowledged(
  acknowledging: Acknowledging,
  answer: (acknowledgement: Acknowledgement) => HttpAnswer | Promise<HttpAnswer>,
): HttpAnswer | Promise<HttpAnswer> {
  return acknowledging instanceof Promise ? acknowledging.then(answer) : answer(acknowledging);
}
