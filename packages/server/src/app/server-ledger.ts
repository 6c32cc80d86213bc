// The history of a running server: it follows the registry from the start, is written behind, and takes in what earlier runs
// wrote once the server listens.

import { setImmediate as turn } from 'node:timers/promises';
import type { Logger, Timers } from '@rollcall/runtime';
import { reportBeatConnections } from '../adapters/ledger/beat-connections.js';
import { LedgerStore } from '../adapters/ledger/ledger-store.js';
import type { RegistryAccess } from '../adapters/registry-access.js';
import type { RegistryEvents, ServerEvents } from '../adapters/registry-events.js';
import { Ledger } from '../core/ledger/ledger.js';
import { type Config, ledgerBoundsOf } from './config-schema.js';

/** What it is made from. */
export interface ServerLedgerOptions {
  readonly registry: RegistryAccess & RegistryEvents & ServerEvents;
  readonly config: Config;
  /** Directory of the segments. */
  readonly path: string;
  readonly logger: Logger;
  readonly timers: Timers;
}

/** Ledger and store of a server. */
export class ServerLedger {
  readonly ledger: Ledger;
  readonly #store: LedgerStore | undefined;

  private constructor(ledger: Ledger, store: LedgerStore | undefined) {
    this.ledger = ledger;
    this.#store = store;
  }

  /** Begins to follow the registry. @returns undefined when no history is wanted @throws the file system's error */
  static open({ registry, config, path, logger, timers }: ServerLedgerOptions): ServerLedger | undefined {
    if (config.ledger === 'off') return undefined;
    const ledger = new Ledger(ledgerBoundsOf(config), registry.now());
    registry.onEvent((event) => ledger.take(event));
    registry.onServerEvent((event) => ledger.takeServer(event));
    reportBeatConnections(registry);
    const bytes = config.ledgerDiskBytes;
    const store =
      bytes === 0 ? undefined : new LedgerStore({ path, bytes, ledger, logger, timers, pause: () => turn() });
    store?.follow();
    return new ServerLedger(ledger, store);
  }

  /** Takes in what earlier runs wrote; never rejects. */
  async load(): Promise<void> {
    await this.#store?.load();
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    await this.#store?.close();
  }
}
