// The last list of each service on the disk: written whole and renamed, the newest only, within bounds. A disk that does not
// take it is no reason to fail: the client warns once per kind of trouble and goes on.
// Source: Nacos 1.4.8 DiskCache (content is the JSON of the server); contract client-1x 5.2 and 5.3.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeServiceList, type ServiceList } from '../../core/service-list.js';
import type { TransportEvents } from '../transport.js';
import { fileNameOf, isFailoverSwitch } from './cache-path.js';

/** Bounds of a folder; lists beyond them are not kept, and said so once. */
export interface CacheBounds {
  /** Lists that are kept. Default 10000. */
  readonly files: number;
  /** Bytes of one list. Default 16 MiB. */
  readonly fileBytes: number;
}

/** Bounds that hold unless a test says otherwise. */
export const CACHE_BOUNDS: CacheBounds = { files: 10_000, fileBytes: 16 * 1024 * 1024 };

/** Lists on the disk. */
export class CacheFolder {
  readonly #folder: string;
  readonly #noted: TransportEvents['noted'];
  readonly #bounds: CacheBounds;
  /** Keeps clients that share the folder from writing one file: of one process, or of containers whose processes are all number 1. */
  readonly #writer = randomUUID();
  readonly #pending = new Map<string, string>();
  readonly #names = new Set<string>();
  readonly #warned = new Set<string>();
  #writing: Promise<void> | undefined;
  #made = false;

  /** @param folder - made with the first list */
  constructor(folder: string, noted: TransportEvents['noted'], bounds: CacheBounds = CACHE_BOUNDS) {
    this.#folder = folder;
    this.#noted = noted;
    this.#bounds = bounds;
  }

  /** Keeps a list, in the background. A newer one for the same service replaces it while it waits. */
  keep(grouped: string, text: string): void {
    const name = fileNameOf(grouped);
    if (!this.#names.has(name) && this.#names.size >= this.#bounds.files) {
      this.#warn('full', `more than ${this.#bounds.files} lists`);
      return;
    }
    if (Buffer.byteLength(text) > this.#bounds.fileBytes) {
      this.#warn('too-large', `"${grouped}" has ${text.length} characters`);
      return;
    }
    this.#names.add(name);
    this.#pending.set(name, text);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Waits until what was kept is on the disk. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** Reads what is there; what cannot be read is left out. Empty lists are not used. */
  async load(): Promise<readonly ServiceList[]> {
    return readLists(this.#folder, this.#bounds, (name, reason) => this.#warn(`unreadable ${name}`, reason));
  }

  async #writeAll(): Promise<void> {
    for (const [name, text] of this.#pending) {
      this.#pending.delete(name);
      try {
        await this.#write(path.join(this.#folder, name), text);
      } catch (error) {
        const { code = 'failed', message } = error as NodeJS.ErrnoException;
        this.#warn(code, message);
      }
    }
  }

  async #write(file: string, text: string): Promise<void> {
    if (!this.#made) await mkdir(this.#folder, { recursive: true });
    this.#made = true;
    const temporary = `${file}.${this.#writer}.tmp`;
    try {
      await writeFile(temporary, text);
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {}); // The first error is the one to tell.
      throw error;
    }
  }

  #warn(kind: string, reason: string): void {
    if (this.#warned.has(kind) || this.#warned.size >= WARNINGS_MAX) return;
    this.#warned.add(kind);
    this.#noted('warn', 'cache-failed', { folder: this.#folder, reason });
  }
}

const WARNINGS_MAX = 20;

/**
 * Reads every list in a folder: of each file the last line that holds one, as the Java client does.
 *
 * @param unreadable - told of each file that cannot be read
 */
export async function readLists(
  folder: string,
  bounds: CacheBounds,
  unreadable: (name: string, reason: string) => void,
): Promise<readonly ServiceList[]> {
  const names = await readdir(folder).catch(() => []);
  const lists: ServiceList[] = [];
  for (const name of names.slice(0, bounds.files)) {
    const file = path.join(folder, name);
    if (name.endsWith('.tmp') || isFailoverSwitch(name)) continue;
    try {
      const info = await stat(file);
      if (!info.isFile() || info.size > bounds.fileBytes) continue;
      const line = (await readFile(file, 'utf8')).split('\n').findLast((text) => text.startsWith('{'));
      const list = decodeServiceList(line ?? '');
      if (list.instances.length > 0) lists.push(list);
    } catch (error) {
      unreadable(name, (error as Error).message);
    }
  }
  return lists;
}
