import { serviceKey } from '@rollcall/protocol';
import { beforeEach, expect, test } from 'vitest';
import type { JournalEntry } from '../../core/journal-entry.js';
import { checkedText } from './checked-line.js';
import { Journal } from './journal.js';

const service = serviceKey('public', 'DEFAULT_GROUP', 'orders');
const entry = (refTime: number): JournalEntry => ({ type: 'list-version', service, refTime });

/** A file in memory that can be told to fail. */
class TestFile {
  readonly writes: string[] = [];
  full = false;
  closed = false;
  constructor(readonly path: string) {}
  append(bytes: Uint8Array): void {
    if (this.full) throw new Error('ENOSPC: no space left on device, write');
    this.writes.push(Buffer.from(bytes).toString());
  }
  close(): void {
    this.closed = true;
  }
  /** List versions that were written. */
  get versions(): number[] {
    const lines = this.writes.join('').split('\n').slice(0, -1);
    const items = lines.flatMap((line) => JSON.parse(checkedText(Buffer.from(line)) ?? '') as unknown[][]);
    return items.map((item) => item[4] as number);
  }
}

let file: TestFile;
let journal: Journal;
let turn: (() => void)[];
let failures: string[];
let called: (string | undefined)[];

beforeEach(() => {
  file = new TestFile('journal-1');
  turn = [];
  failures = [];
  called = [];
  journal = new Journal({
    file,
    endOfTurn: (callback) => turn.push(callback),
    onFailure: (error) => failures.push(error.message),
  });
});

function endTurn(): void {
  for (const callback of turn.splice(0)) callback();
}
const wait = () => journal.afterFlush((error) => called.push(error?.message));

test('entries of one turn are one write at its end, then everybody who waits is called in order', () => {
  journal.append(entry(1));
  wait();
  journal.append(entry(2));
  journal.afterFlush(() => called.push(`written: ${file.versions}`));
  expect([file.writes.length, called]).toEqual([0, []]);
  expect(turn).toHaveLength(1);
  endTurn();
  expect(file.writes).toHaveLength(1);
  expect(called).toEqual([undefined, 'written: 1,2']);
  expect(journal.bytes).toBe(file.writes.join('').length);
});

test('who waits for nothing is called at once', () => {
  wait();
  expect(called).toEqual([undefined]);
  journal.append(entry(1));
  endTurn();
  wait();
  expect(called).toEqual([undefined, undefined]);
});

test('a callback may append and wait again: that is the next turn', () => {
  journal.append(entry(1));
  journal.afterFlush(() => {
    journal.append(entry(2));
    wait();
  });
  endTurn();
  expect([file.versions, called]).toEqual([[1], []]);
  endTurn();
  expect([file.versions, called]).toEqual([[1, 2], [undefined]]);
});

test('a turn of very many entries is written in between, and acknowledged at its end', () => {
  for (let number = 0; number < 10_000; number++) journal.append(entry(number));
  wait();
  expect(file.writes).toHaveLength(2);
  endTurn();
  expect(file.versions).toEqual(Array.from({ length: 10_000 }, (_, number) => number));
  expect(called).toEqual([undefined]);
});

test('a failed write refuses everybody, now and later, and is told once', () => {
  const message = 'cannot write the journal "journal-1": ENOSPC: no space left on device, write';
  journal.append(entry(1));
  wait();
  file.full = true;
  endTurn();
  expect([failures, called]).toEqual([[message], [message]]);
  file.full = false;
  journal.append(entry(2));
  wait();
  endTurn();
  expect([failures, called, file.writes]).toEqual([[message], [message, message], []]);
});

test('a new file ends the failure; what waits goes to the old one', () => {
  journal.append(entry(1));
  wait();
  const second = new TestFile('journal-2');
  journal.continueIn(second);
  expect([file.versions, file.closed, called]).toEqual([[1], true, [undefined]]);
  second.full = true;
  journal.append(entry(2));
  endTurn();
  const third = new TestFile('journal-3');
  journal.continueIn(third);
  journal.append(entry(3));
  wait();
  endTurn();
  expect([second.versions, third.versions, called]).toEqual([[], [3], [undefined, undefined]]);
});

test('closing writes what waits; nothing is taken afterwards', () => {
  journal.append(entry(1));
  wait();
  journal.close();
  expect([file.versions, file.closed, called]).toEqual([[1], true, [undefined]]);
  journal.append(entry(2));
  wait();
  endTurn();
  expect([file.versions, called[1]]).toEqual([[1], 'cannot write the journal: the server is stopping']);
});
