import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceKey } from '@rollcall/protocol';
import { afterAll, expect, test } from 'vitest';
import type { JournalEntry } from '../../core/journal-entry.js';
import { endLine, entryLines, headLine } from './log-format.js';
import { type LogFileReport, readLogFile } from './log-reader.js';

const directory = mkdtempSync(join(tmpdir(), 'rollcall-reader-'));
const path = join(directory, 'file');
afterAll(() => rmSync(directory, { recursive: true }));

const service = serviceKey('public', 'DEFAULT_GROUP', 'orders');
const entry = (refTime: number): JournalEntry => ({ type: 'list-version', service, refTime });
const line = (...versions: number[]) => Buffer.concat([...entryLines(versions.map(entry))]);
const head = headLine('journal', 1);

function read(bytes: Buffer): { versions: number[]; report: LogFileReport } {
  writeFileSync(path, bytes);
  const versions: number[] = [];
  const reader = readLogFile(path);
  for (;;) {
    const next = reader.next();
    if (next.done) return { versions, report: next.value };
    if (next.value.type === 'list-version') versions.push(next.value.refTime);
  }
}

test('a journal cut at any byte gives the entries of all lines before the cut, and the cut as tail', () => {
  const lines = [head, line(1, 2), line(3), line(4, 5)];
  const ends = lines.map((_, index) => Buffer.concat(lines.slice(0, index + 1)).length);
  const all = Buffer.concat(lines);
  const versions = [[], [1, 2], [1, 2, 3], [1, 2, 3, 4, 5]];
  for (let cut = head.length; cut <= all.length; cut++) {
    const whole = ends.findLastIndex((end) => end <= cut);
    const found = read(all.subarray(0, cut));
    expect(found.versions).toEqual(versions[whole]);
    expect(found.report).toMatchObject({
      damagedBytes: 0,
      tailBytes: cut - (ends[whole] ?? 0),
      soundBytes: ends[whole],
    });
  }
});

test('a damaged line costs its own entries', () => {
  const bad = line(2, 3);
  bad[20] = 0x20;
  const { versions, report } = read(Buffer.concat([head, line(1), bad, Buffer.from('garbage\n\n'), line(4)]));
  expect(versions).toEqual([1, 4]);
  expect(report).toMatchObject({ entries: 2, damagedBytes: bad.length + 9, tailBytes: 0 });
});

test('a file without any sound line is damaged as a whole; an empty one is only empty', () => {
  expect(read(Buffer.alloc(100_000)).report).toMatchObject({ entries: 0, damagedBytes: 100_000, tailBytes: 0 });
  expect(read(Buffer.alloc(0)).report).toMatchObject({ entries: 0, damagedBytes: 0, tailBytes: 0 });
});

test('lines longer than what is read at once are read', () => {
  const long: JournalEntry = { type: 'unsubscribed', service, subscriberKey: 'x'.repeat(3_000_000) };
  const { versions, report } = read(Buffer.concat([head, line(1), ...entryLines([long]), line(2)]));
  expect(versions).toEqual([1, 2]);
  expect(report).toMatchObject({ entries: 3, damagedBytes: 0, tailBytes: 0 });
});

test('a snapshot is complete when its last line counts its entries', () => {
  const snapshot = [headLine('snapshot', 1), line(1, 2), line(3)];
  expect(read(Buffer.concat([...snapshot, endLine(3)])).report.complete).toBe(true);
  expect(read(Buffer.concat([...snapshot, endLine(4)])).report.complete).toBe(false);
  expect(read(Buffer.concat(snapshot)).report.complete).toBe(false);
});
