// How the lanes wait for the journal: an answer that acknowledges a change leaves only when the change is written.

import { RegistryError } from '@rollcall/protocol';
import { errorAnswer } from './error-answer.js';
import type { HttpAnswer } from './http-answer.js';

/** Calls back when everything journalled so far is written, with an error when that failed; at once when nothing waits. */
export type AfterJournal = (callback: (error?: Error) => void) => void;

/** What is wrong when a change could not be written. */
export const JOURNAL_ERROR = new RegistryError(
  'storage-failed',
  'The change could not be written to the journal, try again',
);

const JOURNAL_FAILED = errorAnswer(JOURNAL_ERROR);

/** What is sent in place of an answer whose change could not be written. */
export function unwrittenAnswer({ whenUnwritten = JOURNAL_FAILED }: HttpAnswer): HttpAnswer {
  return whenUnwritten;
}
