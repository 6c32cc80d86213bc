import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceKey } from '@rollcall/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../core/journal-entry.js';
import { checkedLine } from './checked-line.js';
import type { EphemeralLog } from './ephemeral-log.js';
import { LogHarness } from './ephemeral-log.test-support.js';

let harness: LogHarness;
beforeEach(() => {
  harness = new LogHarness();
});
afterEach(() => harness.remove());

const entry = (name: string, refTime = 1): JournalEntry => ({
  type: 'list-version',
  service: serviceKey('public', 'g', name),
  refTime,
});

const nameOf = (each: JournalEntry): string => ('service' in each ? each.service.name : each.type);

/** Stands for the core: the last entry of each service. */
class State {
  readonly entries = new Map<string, JournalEntry>();
  apply(next: JournalEntry): void {
    this.entries.set(nameOf(next), next);
  }
  snapshot = (): Iterable<JournalEntry> => this.entries.values();
}

/** A log that has loaded into a state and was started. */
function started(options: Parameters<LogHarness['log']>[0] = {}): { log: EphemeralLog; state: State } {
  const log = harness.log(options);
  const state = new State();
  for (const loaded of log.load()) state.apply(loaded);
  log.start(state.snapshot);
  return { log, state };
}

function change({ log, state }: { log: EphemeralLog; state: State }, next: JournalEntry): void {
  state.apply(next);
  log.append(next);
}

/** Result of waiting for the log: `waiting`, `written`, or the error. */
function acknowledgement(log: EphemeralLog): { now: string } {
  const result = { now: 'waiting' };
  log.afterFlush((error) => {
    result.now = error?.message ?? 'written';
  });
  return result;
}

const files = () => readdirSync(harness.path).sort();
const JOURNAL_1 = 'journal-00000001.log';

describe('across a restart', () => {
  test('a killed process leaves what was flushed, in order, over any number of restarts', () => {
    for (const [index, name] of ['a', 'b', 'a'].entries()) {
      const run = started();
      change(run, entry(name, index));
      harness.endTurn();
    }
    const run = started();
    change(run, entry('never flushed'));
    expect(harness.afterKill()).toEqual([entry('a', 0), entry('b', 1), entry('a', 2)]);
  });

  test('a stopped process leaves one snapshot', () => {
    const run = started();
    change(run, entry('a', 1));
    change(run, entry('a', 2));
    run.log.close();
    expect(files()).toEqual(['snapshot-00000002.log']);
    expect(harness.afterKill()).toEqual([entry('a', 2)]);
    expect([...started().state.snapshot()]).toEqual([entry('a', 2)]);
  });

  test('acknowledgements come with the write', () => {
    const { log } = started();
    expect(acknowledgement(log).now).toBe('written');
    log.append(entry('a'));
    const waiting = acknowledgement(log);
    expect(waiting.now).toBe('waiting');
    harness.endTurn();
    expect(waiting.now).toBe('written');
  });
});

describe('age', () => {
  test('state last written longer ago than allowed is deleted instead of loaded; at the limit it is loaded', () => {
    const run = started();
    change(run, entry('a'));
    run.log.close();
    const seconds = 1_790_000_000;
    utimesSync(join(harness.path, files()[0] as string), seconds, seconds);
    harness.clock.setWall(seconds * 1000 + 3_600_000);
    expect(harness.afterKill()).toEqual([entry('a')]);
    harness.clock.advance(1);
    expect([...harness.log().load()]).toEqual([]);
    expect(files()).toEqual([]);
    expect(harness.logger.lines).toContainEqual({
      level: 'warn',
      event: 'ephemeral-state-too-old',
      fields: { path: harness.path, ageMs: 3_600_001, ageMaxMs: 3_600_000 },
    });
  });

  test('counts from when the server was last alive, though nothing changed for hours', () => {
    const run = started();
    change(run, entry('a'));
    harness.endTurn();
    harness.timers.advance(5 * 3_600_000);
    harness.clock.advance(3_600_000 - 60_000);
    expect(harness.afterKill()).toEqual([entry('a')]);
  });

  test('a wall clock that went back loads', () => {
    const run = started();
    change(run, entry('a'));
    run.log.close();
    harness.clock.setWall(0);
    expect(harness.afterKill()).toEqual([entry('a')]);
  });
});

describe('compaction', () => {
  test('when the journal exceeds its bytes, a snapshot takes its place and changes go on in a new journal', async () => {
    const run = started({ compactAtBytes: 500 });
    const written = harness.logger.next('snapshot-written');
    for (let number = 0; number < 20; number++) {
      change(run, entry('a', number));
      harness.endTurn();
    }
    await written;
    change(run, entry('b'));
    harness.endTurn();
    expect(files()).toEqual(['journal-00000002.log', 'snapshot-00000002.log']);
    expect(harness.afterKill()).toEqual(expect.arrayContaining([entry('a', 19), entry('b')]));
  });

  test('snapshot and journal lead to the last state, whatever changes while the snapshot is taken', async () => {
    const run = started({ compactAtBytes: 0 });
    for (let number = 0; number < 10_000; number++) run.state.apply(entry(`s${number}`, 0));
    const written = harness.logger.next('snapshot-written');
    change(run, entry('s0', 0));
    // The size is seen when the next change comes, the compaction begins at the end of that turn.
    harness.endTurn();
    change(run, entry('s9999', 1));
    harness.endTurn();
    let turns = 0;
    const changing = setInterval(() => {
      change(run, entry(`s${++turns}`, 2));
      harness.endTurn();
    });
    await written;
    clearInterval(changing);
    expect(turns).toBeGreaterThan(0);
    const loaded = new State();
    for (const next of harness.afterKill()) loaded.apply(next);
    expect(loaded.entries).toEqual(run.state.entries);
  });

  test('four times the last snapshot is allowed', async () => {
    const first = started();
    for (let number = 0; number < 100; number++) change(first, entry(`s${number}`));
    first.log.close();
    const snapshotBytes = statSync(join(harness.path, 'snapshot-00000002.log')).size;
    const run = started({ compactAtBytes: 1 });
    const written = harness.logger.next('snapshot-written');
    const journal = join(harness.path, 'journal-00000003.log');
    while (statSync(journal, { throwIfNoEntry: false }) !== undefined && statSync(journal).size <= 4 * snapshotBytes) {
      expect(files()).toHaveLength(2);
      change(run, entry('s0'));
      harness.endTurn();
    }
    // Its first line does not count, and the size is looked at before a change is written.
    for (let more = 0; more < 3; more++) {
      change(run, entry('s0'));
      harness.endTurn();
    }
    await written;
    expect(files()).toEqual(['journal-00000004.log', 'snapshot-00000004.log']);
  });

  test('stopping while a snapshot is written leaves one snapshot of the last state', async () => {
    const run = started({ compactAtBytes: 0 });
    for (let number = 0; number < 10_000; number++) run.state.apply(entry(`s${number}`));
    change(run, entry('a'));
    harness.endTurn();
    change(run, entry('a', 2));
    harness.endTurn();
    run.log.close();
    expect(harness.afterKill()).toHaveLength(10_001);
    // The snapshot under way takes its file back in its next turns.
    while (files().length > 1) await new Promise(setImmediate);
    expect(files()).toEqual(['snapshot-00000003.log']);
  });

  test('what a killed process left unfinished is cleared away, what a newer snapshot covers too', () => {
    const run = started();
    change(run, entry('a'));
    run.log.close();
    writeFileSync(join(harness.path, 'snapshot-00000003.log.tmp'), 'half');
    writeFileSync(join(harness.path, JOURNAL_1), '');
    expect([...harness.log().load()]).toEqual([entry('a')]);
    expect(files()).toEqual(['snapshot-00000002.log']);
  });
});

describe('a write that fails', () => {
  test('is refused until a snapshot has everything again', async () => {
    const run = started();
    change(run, entry('before'));
    harness.endTurn();
    harness.diskFull = true;
    change(run, entry('lost'));
    const refused = acknowledgement(run.log);
    harness.endTurn();
    const found = 'ENOSPC: no space left on device, write';
    expect(refused.now).toBe(`cannot write the journal "${join(harness.path, JOURNAL_1)}": ${found}`);
    expect(acknowledgement(run.log).now).toContain(found);

    harness.endTurn();
    await new Promise(setImmediate);
    harness.timers.advance(1000);
    harness.endTurn();
    await new Promise(setImmediate);
    expect(harness.afterKill()).toEqual([entry('before')]);

    harness.diskFull = false;
    const recovered = harness.logger.next('journal-recovered');
    harness.timers.advance(1000);
    harness.endTurn();
    change(run, entry('while it is written'));
    const early = acknowledgement(run.log);
    harness.endTurn();
    expect(early.now).toContain(found);
    await recovered;
    expect(acknowledgement(run.log).now).toBe('written');
    const names = new Set(harness.afterKill().map(nameOf));
    expect(names).toEqual(new Set(['before', 'lost', 'while it is written']));
    expect(harness.logger.notable).toEqual([
      'journal-failed',
      'snapshot-failed',
      'journal-tail-cut',
      'journal-recovered',
    ]);
  });

  test('again while the snapshot is written keeps refusing until the next one', async () => {
    const run = started();
    harness.diskFull = true;
    change(run, entry('lost'));
    harness.endTurn();
    harness.diskFull = false;
    const first = harness.logger.next('snapshot-written');
    harness.endTurn();
    harness.diskFull = true;
    change(run, entry('lost as well'));
    harness.endTurn();
    harness.diskFull = false;
    await first;
    expect(acknowledgement(run.log).now).toContain('ENOSPC');
    const recovered = harness.logger.next('journal-recovered');
    await new Promise(setImmediate);
    harness.timers.advance(1000);
    harness.endTurn();
    await recovered;
    expect(harness.afterKill()).toEqual([entry('lost'), entry('lost as well')]);
  });

  test('a journal that somebody deleted is written anew within a minute', async () => {
    const run = started();
    change(run, entry('a'));
    harness.endTurn();
    rmSync(join(harness.path, JOURNAL_1));
    const recovered = harness.logger.next('journal-recovered');
    harness.timers.advance(60_000);
    harness.endTurn();
    await recovered;
    expect(harness.afterKill()).toEqual([entry('a')]);
  });
});

describe('damage', () => {
  test('a torn tail is cut with one line', () => {
    const run = started();
    change(run, entry('a'));
    harness.endTurn();
    appendFileSync(join(harness.path, JOURNAL_1), 'torn wri');
    expect([...harness.log().load()]).toEqual([entry('a')]);
    expect([...harness.log().load()]).toEqual([entry('a')]);
    expect(harness.logger.lines).toEqual([
      {
        level: 'warn',
        event: 'journal-tail-cut',
        fields: { path: join(harness.path, JOURNAL_1), tailBytes: 8, entries: 1 },
      },
    ]);
  });

  test.each([
    { what: 'overwritten', damage: () => Buffer.from('no snapshot at all'), left: 0 },
    { what: 'cut', damage: (bytes: Buffer) => bytes.subarray(0, bytes.length - 10), left: 600 },
    { what: 'changed in one byte', damage: (bytes: Buffer) => bytes.fill(0x20, 100, 101), left: 100 },
  ])('a snapshot that is $what gives what can be read and is set aside', async ({ damage, left }) => {
    const run = started();
    for (let number = 0; number < 600; number++) change(run, entry(`s${number}`));
    run.log.close();
    const path = join(harness.path, 'snapshot-00000002.log');
    writeFileSync(path, damage(readFileSync(path)));

    const written = harness.logger.next('snapshot-written');
    const again = started();
    expect(again.state.entries.size).toBe(left);
    // Until the new snapshot is there, another kill loses nothing more.
    expect(harness.afterKill()).toHaveLength(left);
    harness.endTurn();
    await written;
    const line = harness.logger.lines.find(({ event }) => event === 'snapshot-damaged');
    expect(line).toMatchObject({ level: 'error', fields: { path, entries: left } });
    expect(line?.fields.aside).toMatch(/snapshot-00000002\.log\.damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect(files().map((name) => join(harness.path, name))).toContain(line?.fields.aside);
    expect(harness.afterKill()).toHaveLength(left);
  });

  test('a file of a newer version is kept aside unread', async () => {
    const path = join(harness.path, 'snapshot-00000005.log');
    harness.log();
    writeFileSync(path, checkedLine('{"kind":"snapshot","format":2,"generation":5}'));
    const written = harness.logger.next('snapshot-written');
    expect([...started().state.snapshot()]).toEqual([]);
    harness.endTurn();
    await written;
    expect(harness.logger.lines[0]).toMatchObject({ level: 'error', event: 'snapshot-of-newer-version' });
    expect(files()).toContainEqual(expect.stringMatching(/^snapshot-00000005\.log\.damaged-/));
  });
});

test('a path that is no directory is an error that says so', () => {
  writeFileSync(harness.path, '');
  expect(() => harness.log()).toThrow(`cannot use "${harness.path}" for the state of ephemeral instances: EEXIST`);
});
