// How the lanes wait for the journal: an answer that acknowledges a change leaves only when the change is written.

import { RegistryError } from '@rollcall/protocol';
import { errorAnswer } from './error-answer.js';

/** Calls back when everything journalled so far is written, with an error when that failed; at once when nothing waits. */
export type AfterJournal = (callback: (error?: Error) => void) => void;

/** Sent in place of an answer whose change could not be written. */
export const JOURNAL_FAILED = errorAnswer(
  new RegistryError('storage-failed', 'The change could not be written to the journal, try again'),
);
