// Reads one file of the ephemeral log as far as it can be read. Damage never stops it: what is between two sound lines
// is counted as damaged, what is after the last one is a tail that a kill cut off while it was written.

import { closeSync, openSync, readSync } from 'node:fs';
import type { JournalEntry } from '../../core/journal-entry.js';
import { checkedText } from './checked-line.js';
import { JournalDecoder } from './journal-codec.js';
import { LOG_FORMAT, type LogFileHead } from './log-format.js';

/** What was in a file besides its entries. */
export interface LogFileReport {
  /** Entries given. */
  entries: number;
  /** Entries of types that only a newer version knows. */
  unknown: number;
  /** Bytes of unreadable lines that sound lines follow, or of a whole file without any sound line. */
  damagedBytes: number;
  /** Bytes after the last sound line. */
  tailBytes: number;
  /** Where the last sound line ends, in bytes. */
  soundBytes: number;
  /** What the file says of itself; undefined when its first line can't be read. */
  head: LogFileHead | undefined;
  /** Whether the last line of a snapshot was there. */
  complete: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

/** Values of lines: head, entries, or end of a snapshot. */
type LineValue = LogFileHead | { readonly end: number } | Parameters<JournalDecoder['decode']>[0];

/**
 * Gives the entries of a file in order. A file of a newer format gives none.
 *
 * @returns the report, when all entries were taken
 * @throws the file system's error when the file can't be read at all
 */
export function* readLogFile(path: string): Generator<JournalEntry, LogFileReport> {
  const report: LogFileReport = {
    entries: 0,
    unknown: 0,
    damagedBytes: 0,
    tailBytes: 0,
    soundBytes: 0,
    head: undefined,
    complete: false,
  };
  const decoder = new JournalDecoder();
  let unreadable = 0;
  let offset = 0;
  for (const line of linesOf(path)) {
    offset += line.length;
    const value = lineValue(line);
    if (value === undefined) {
      unreadable += line.length;
      continue;
    }
    report.damagedBytes += unreadable;
    unreadable = 0;
    report.soundBytes = offset;
    if ('kind' in value) report.head = value;
    else if ('end' in value) report.complete = value.end === report.entries + report.unknown;
    else {
      const { entries, unknown } = decoder.decode(value);
      report.entries += entries.length;
      report.unknown += unknown;
      yield* entries;
    }
    if (report.head !== undefined && report.head.format > LOG_FORMAT) return report;
  }
  if (report.soundBytes === 0) report.damagedBytes = unreadable;
  else report.tailBytes = unreadable;
  return report;
}

function lineValue(line: Buffer): LineValue | undefined {
  const text = checkedText(line);
  // A line without its line feed was not written to its end, even when all of its text is there.
  if (text === undefined || line[line.length - 1] !== LINE_FEED) return undefined;
  try {
    return JSON.parse(text) as LineValue;
  } catch {
    // A checksum that fits by chance.
    return undefined;
  }
}

/** The lines of a file with their line feeds; the last may have none. */
function* linesOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    let begun: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const bytes = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (bytes === 0) break;
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0 && end < bytes; end = chunk.indexOf(LINE_FEED, start)) {
        const line = chunk.subarray(start, end + 1);
        yield begun.length === 0 ? line : Buffer.concat([...begun, line]);
        begun = [];
        start = end + 1;
      }
      if (start < bytes) begun.push(chunk.subarray(start, bytes));
    }
    if (begun.length > 0) yield Buffer.concat(begun);
  } finally {
    closeSync(file);
  }
}
