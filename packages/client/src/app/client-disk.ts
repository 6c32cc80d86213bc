// The disk of a client: its cache and its fail-over files, as inputs for the core.

import type { Timers } from '@rollcall/runtime';
import { CacheFolder } from '../adapters/disk/cache-folder.js';
import { cacheFolderOf } from '../adapters/disk/cache-path.js';
import { FailoverWatch } from '../adapters/disk/failover-watch.js';
import type { TransportEvents } from '../adapters/transport.js';
import type { KeepEffect } from '../core/client-effect.js';
import type { ClientInput } from '../core/client-input.js';
import type { CacheOptions } from './connect-options.js';

/** What the disk needs of the client. */
export interface ClientDiskPort {
  readonly timers: Timers;
  readonly noted: TransportEvents['noted'];
  readonly step: (input: ClientInput) => void;
}

/** Keeps lists, and brings back what lies there. */
export class ClientDisk {
  readonly #cache: CacheFolder;
  readonly #watch: FailoverWatch;
  #loading: Promise<void> = Promise.resolve();

  /** Starts to look for fail-over files, and to load the cache if asked to. */
  constructor(options: CacheOptions, namespace: string, port: ClientDiskPort) {
    const cacheFolder = cacheFolderOf(options.directory, namespace);
    this.#cache = new CacheFolder(cacheFolder, port.noted);
    this.#watch = new FailoverWatch({
      ...port,
      cacheFolder,
      changed: (lists) => port.step({ type: 'failover', lists }),
    });
    if (options.loadAtStart === true) this.#loading = this.#load(port.step);
  }

  /** Keeps a list. */
  keep({ service, text }: KeepEffect): void {
    this.#cache.keep(service.grouped, text);
  }

  /** Ends when everything is written. */
  async close(): Promise<void> {
    await Promise.all([this.#watch.close(), this.#loading, this.#cache.flush()]);
  }

  async #load(step: ClientDiskPort['step']): Promise<void> {
    step({ type: 'cached', lists: await this.#cache.load() });
  }
}
