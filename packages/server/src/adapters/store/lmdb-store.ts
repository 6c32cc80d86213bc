// The embedded store: LMDB, one record per durable change, each with a checksum of its own.
// LMDB keeps its file whole through crashes and power cuts; what damages it comes from outside and is handled at opening.

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { RegistryError } from '@rollcall/protocol';
import type { Clock, Logger } from '@rollcall/runtime';
import { open, type RootDatabase } from 'lmdb';
import type { Actor } from '../../core/actor.js';
import type { StoreChange } from '../../core/store-change.js';
import { checkedLine, checkedText } from './checked-line.js';
import type { CommitOutcome, DurableStore, StoreLane, StoreListener } from './durable-store.js';
import { checkLmdb } from './lmdb-check.js';
import { lmdbKey } from './lmdb-key.js';
import { LMDB_OPTIONS } from './lmdb-options.js';
import { asidePath, fileTime } from './set-aside.js';
import { storageFailed } from './storage-failed.js';
import { changeOf, KEY_PREFIXES, recordOf } from './store-record.js';

/** Layout of keys and values. A store with a higher number is not opened; it is of a newer version. */
const FORMAT = 1;
const FORMAT_KEY = Buffer.from('format');
const DATA_FILE = 'data.mdb';
const LOCK_FILE = 'lock.mdb';
/** Exists while the store is closed: what its data file looked like then. */
const CLOSED_FILE = 'closed.json';
/** LMDB maps its lock file and dies of SIGBUS when the disk has no room for it, so the room is taken before. */
const LOCK_FILE_BYTES = 16 * 1024;

/** What the store needs to work. */
export interface LmdbStoreOptions {
  /** Directory of the store; created when missing. */
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A {@link DurableStore} in a directory, for one server at a time. */
export class LmdbStore implements DurableStore {
  readonly #options: LmdbStoreOptions;
  readonly #db: RootDatabase<Buffer, Buffer>;
  #listener: StoreListener = () => undefined;

  private constructor(options: LmdbStoreOptions, db: RootDatabase<Buffer, Buffer>) {
    this.#options = options;
    this.#db = db;
  }

  /**
   * Opens or creates the store. Files that were not closed properly are checked first; damaged ones are set aside as
   * `<path>.damaged-<time>` and an empty store takes their place.
   *
   * @throws RegistryError `storage-failed` when the directory can't be used or was written by a newer version
   */
  static async open(options: LmdbStoreOptions): Promise<LmdbStore> {
    const { path } = options;
    const tried = `cannot open the store "${path}"`;
    try {
      mkdirSync(path, { recursive: true });
      if (!wasClosed(path)) await setAsideIfDamaged(options);
      rmSync(join(path, CLOSED_FILE), { force: true });
      reserveLockFile(path);
    } catch (error) {
      throw storageFailed(tried, error);
    }
    const db = openDatabase(path, tried);
    try {
      await requireFormat(db, tried);
    } catch (error) {
      await db.close();
      throw error;
    }
    return new LmdbStore(options, db);
  }

  *load(): Generator<StoreChange> {
    const unreadable: { key: Buffer; value: Buffer }[] = [];
    let unknown = 0;
    for (const prefix of KEY_PREFIXES) {
      for (const { key, value } of this.#db.getRange(rangeOf(prefix))) {
        const change = readRecord(value);
        if (change === 'damaged') unreadable.push({ key, value: Buffer.from(value) });
        else if (change === 'unknown') unknown++;
        else yield change;
      }
    }
    if (unknown > 0) this.#options.logger.log('warn', 'store-records-unknown', { path: this.#options.path, unknown });
    if (unreadable.length > 0) this.#setAsideRecords(unreadable);
  }

  follow(listener: StoreListener): void {
    this.#listener = listener;
  }

  laneOf(): StoreLane {
    return 'local';
  }

  async commit(changes: readonly StoreChange[], actor: Actor): Promise<CommitOutcome> {
    if (changes.length === 0) return 'written';
    try {
      await this.#db.batch(() => {
        for (const { key, json } of changes.map(recordOf)) this.#write(lmdbKey(key), json);
      });
    } catch (error) {
      this.#logCause(error);
      throw storageFailed(`cannot write ${changes.length} changes to the store "${this.#options.path}"`, error);
    }
    this.#listener(changes, actor);
    return 'written';
  }

  async close(): Promise<void> {
    const { path, logger } = this.#options;
    await this.#db.close();
    try {
      writeFileSync(join(path, CLOSED_FILE), stateOfData(path));
    } catch (error) {
      // Costs only the check at the next start.
      logger.log('warn', 'store-mark-failed', { path, reason: String(error) });
    }
  }

  /** Inside a batch the promises of single operations never reject; the batch does. */
  #write(key: Buffer, json: string | undefined): void {
    void (json === undefined ? this.#db.remove(key) : this.#db.put(key, checkedLine(json)));
  }

  /** The reason of a failed commit comes in a promise of its own, which must be handled or it ends the process. */
  #logCause(error: unknown): void {
    const cause = (error as { commitError?: Promise<unknown> }).commitError;
    cause?.catch((reason: unknown) => {
      this.#options.logger.log('error', 'store-commit-failed', { path: this.#options.path, reason: String(reason) });
    });
  }

  /** Moves records under a key of their own, so that they are reported once and can still be looked at. */
  #setAsideRecords(records: readonly { key: Buffer; value: Buffer }[]): void {
    const { path, clock, logger } = this.#options;
    const aside = `damaged-${fileTime(clock.now().wall)}/`;
    const names = records.map(({ key }) => key.toString()).slice(0, 20);
    logger.log('error', 'store-records-damaged', { path, count: records.length, names: names.join(' '), aside });
    const moved = this.#db.batch(() => {
      for (const { key, value } of records) {
        void this.#db.put(Buffer.concat([Buffer.from(aside), key]), value);
        void this.#db.remove(key);
      }
    });
    moved.catch((error: unknown) => this.#logCause(error));
  }
}

function readRecord(value: Buffer): StoreChange | 'unknown' | 'damaged' {
  const text = checkedText(value);
  if (text === undefined) return 'damaged';
  try {
    return changeOf(text) ?? 'unknown';
  } catch {
    // A checksum that fits by chance.
    return 'damaged';
  }
}

function openDatabase(path: string, tried: string): RootDatabase<Buffer, Buffer> {
  try {
    return open<Buffer, Buffer>({ path, ...LMDB_OPTIONS });
  } catch (error) {
    throw storageFailed(tried, error);
  }
}

/** Writes the format into a new store. A format record that can't be read is written again: records say themselves whether they are sound. */
async function requireFormat(db: RootDatabase<Buffer, Buffer>, tried: string): Promise<void> {
  const value = db.get(FORMAT_KEY);
  const text = value === undefined ? undefined : checkedText(value);
  const format = text === undefined ? undefined : Number(text);
  if (format !== undefined && format > FORMAT) {
    const found = `found format ${format} of a newer version, allowed is up to ${FORMAT}`;
    throw new RegistryError(
      'storage-failed',
      `${tried}: ${found}; start that version, or choose another data directory`,
    );
  }
  if (format === FORMAT) return;
  try {
    await db.batch(() => void db.put(FORMAT_KEY, checkedLine(String(FORMAT))));
  } catch (error) {
    (error as { commitError?: Promise<unknown> }).commitError?.catch(() => undefined);
    throw storageFailed(tried, error);
  }
}

async function setAsideIfDamaged({ path, clock, logger }: LmdbStoreOptions): Promise<void> {
  const data = join(path, DATA_FILE);
  if (!existsSync(data)) return;
  // Files that may not be written are no damage: that shows here as an error, and there as a dead process.
  closeSync(openSync(data, 'r+'));
  reserveLockFile(path);
  const verdict = await checkLmdb(path);
  if (verdict.state === 'unsure') logger.log('warn', 'store-check-failed', { path, reason: verdict.reason });
  if (verdict.state !== 'damaged') return;
  const aside = asidePath(path, clock.now().wall);
  renameSync(path, aside);
  logger.log('error', 'store-damaged', { path, reason: verdict.reason, aside });
  mkdirSync(path, { recursive: true });
}

function reserveLockFile(path: string): void {
  const lock = join(path, LOCK_FILE);
  if (existsSync(lock)) return;
  const file = openSync(lock, 'wx', 0o664);
  try {
    writeSync(file, Buffer.alloc(LOCK_FILE_BYTES));
  } finally {
    closeSync(file);
  }
}

/** Whether the data file is exactly as the last proper close left it. Then it need not be checked. */
function wasClosed(path: string): boolean {
  const closed = join(path, CLOSED_FILE);
  return existsSync(closed) && existsSync(join(path, DATA_FILE)) && readFileSync(closed, 'utf8') === stateOfData(path);
}

function stateOfData(path: string): string {
  const { size, mtimeNs, ino } = statSync(join(path, DATA_FILE), { bigint: true });
  return JSON.stringify({ bytes: String(size), mtimeNs: String(mtimeNs), inode: String(ino) });
}

/** All keys with a prefix that ends in a slash. */
function rangeOf(prefix: string): { start: Buffer; end: Buffer } {
  return { start: Buffer.from(prefix), end: Buffer.from(`${prefix.slice(0, -1)}0`) };
}
