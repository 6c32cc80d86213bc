// The files of the ephemeral log. A journal and a snapshot have the same form: a checked line that says what the file
// is, then checked lines of entries; a snapshot closes with a line that says it is complete.
//   journal-00000007.log   changes since it was begun
//   snapshot-00000007.log  the state when journal 7 was begun: loaded first, then journals 7, 8, …

import type { JournalEntry } from '../../core/journal-entry.js';
import { checkedLine } from './checked-line.js';
import { entriesJson } from './journal-codec.js';

/** Version of the form. Files with a higher number are of a newer version: not read, not deleted. */
export const LOG_FORMAT = 1;

/** Entries per line. A damaged line costs these and no others; a longer line would not be written faster. */
export const LINE_ENTRIES_MAX = 500;

/** The two kinds of files. */
export type LogFileKind = 'journal' | 'snapshot';

/** What a file says of itself. */
export interface LogFileHead {
  readonly kind: LogFileKind;
  readonly format: number;
  readonly generation: number;
}

/** Name of a file. @param generation - from 1, grows without gap or return */
export function logFileName(kind: LogFileKind, generation: number): string {
  return `${kind}-${String(generation).padStart(8, '0')}.log`;
}

/** What a name stands for; undefined when it is no name of a log file. */
export function logFileOf(name: string): { kind: LogFileKind; generation: number } | undefined {
  const [, kind, digits] = /^(journal|snapshot)-(\d{8,15})\.log$/.exec(name) ?? [];
  return kind === undefined ? undefined : { kind: kind as LogFileKind, generation: Number(digits) };
}

/** First line of a file. */
export function headLine(kind: LogFileKind, generation: number): Buffer {
  const head: LogFileHead = { kind, format: LOG_FORMAT, generation };
  return checkedLine(JSON.stringify(head));
}

/** Last line of a snapshot. @param entries - how many it holds */
export function endLine(entries: number): Buffer {
  return checkedLine(JSON.stringify({ end: entries }));
}

/** Lines for some entries. */
export function* entryLines(entries: readonly JournalEntry[]): Generator<Buffer> {
  for (let from = 0; from < entries.length; from += LINE_ENTRIES_MAX) {
    yield checkedLine(entriesJson(entries.slice(from, from + LINE_ENTRIES_MAX)));
  }
}
