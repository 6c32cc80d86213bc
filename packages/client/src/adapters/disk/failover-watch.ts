// Fail-over by hand: while a switch file says so, lists from files go before those of the servers. Looked at every 5 s.
// Source: Nacos 1.4.8 FailoverReactor; contract client-1x 6, with its improvements: the switch in either place, names encoded
// or not (the list inside says whose it is), changed lists are read again, live lists where no file is.

import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TimerHandle, Timers } from '@rollcall/runtime';
import type { ServiceList } from '../../core/service-list.js';
import type { TransportEvents } from '../transport.js';
import { CACHE_BOUNDS, readLists } from './cache-folder.js';
import { failoverFolderOf, failoverSwitchesOf } from './cache-path.js';

const LOOK_MS = 5000;

/** What the watch needs. */
export interface FailoverWatchOptions {
  readonly cacheFolder: string;
  readonly timers: Timers;
  readonly noted: TransportEvents['noted'];
  /** Takes the lists when they change; undefined when fail-over is off. */
  readonly changed: (lists: ReadonlyMap<string, ServiceList> | undefined) => void;
}

/** Watches the switch and the files. */
export class FailoverWatch {
  readonly #options: FailoverWatchOptions;
  #timer: TimerHandle | undefined;
  #signature = 'off';
  #looking: Promise<void> = Promise.resolve();
  #closed = false;

  /** Looks at once, then every 5 s. */
  constructor(options: FailoverWatchOptions) {
    this.#options = options;
    this.#look();
  }

  /** Looks no more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    await this.#looking;
  }

  #look(): void {
    this.#looking = this.#compare().finally(() => {
      if (!this.#closed) this.#timer = this.#options.timers.once(LOOK_MS, () => this.#look());
    });
  }

  async #compare(): Promise<void> {
    const { cacheFolder, changed, noted } = this.#options;
    const folder = failoverFolderOf(cacheFolder);
    const signature = (await isSwitchedOn(cacheFolder)) ? await signatureOf(folder) : 'off';
    if (signature === this.#signature || this.#closed) return;
    const wasOff = this.#signature === 'off';
    this.#signature = signature;
    if (signature === 'off') {
      noted('warn', 'failover-off', {});
      changed(undefined);
      return;
    }
    const lists = await readLists(folder, CACHE_BOUNDS, (name, reason) =>
      noted('warn', 'failover-file-unreadable', { name, reason }),
    );
    if (wasOff) noted('warn', 'failover-on', { services: lists.length });
    if (!this.#closed) changed(new Map(lists.map((list) => [list.grouped, list])));
  }
}

/** The last line that is `1` or `0` decides; a missing or empty file is off. */
async function isSwitchedOn(cacheFolder: string): Promise<boolean> {
  for (const file of failoverSwitchesOf(cacheFolder)) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const last = text
      .split('\n')
      .map((line) => line.trim())
      .findLast((line) => line === '0' || line === '1');
    if (last !== undefined) return last === '1';
  }
  return false;
}

/** Names, sizes and times of change. */
async function signatureOf(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).slice(0, CACHE_BOUNDS.files).sort();
  const states = names.map(async (name) => {
    const info = await stat(path.join(folder, name)).catch(() => undefined);
    return `${name} ${info?.size} ${info?.mtimeMs}`;
  });
  return `on ${(await Promise.all(states)).join('\n')}`;
}
