// Durable records on the disk of a node, as the product's own store keeps them: written after a moment, all of a commit or none,
// and not at all when the process ends before.

import {
  type Actor,
  type CommitOutcome,
  changeOf,
  type DurableStore,
  KEY_PREFIXES,
  recordOf,
  type StoreChange,
  type StoreLane,
  type StoreListener,
} from '@rollcall/server/internal';
import type { EventQueue } from '../event-queue.js';
import { later, type NodeProcess } from './node-process.js';

/** A disk is busy for so long. */
const WRITE_MS = 3;

/** A {@link DurableStore} on a simulated disk. */
export class DiskRecords implements DurableStore {
  readonly #process: NodeProcess;
  readonly #queue: EventQueue;
  readonly #records: Map<string, string>;
  #listener: StoreListener = () => undefined;

  /** @param records - what is on the disk: JSON by key */
  constructor(process: NodeProcess, queue: EventQueue, records: Map<string, string>) {
    this.#process = process;
    this.#queue = queue;
    this.#records = records;
  }

  *load(): Generator<StoreChange> {
    for (const prefix of KEY_PREFIXES) {
      for (const [key, json] of this.#records) {
        const change = key.startsWith(prefix) ? changeOf(json) : undefined;
        if (change !== undefined) yield change;
      }
    }
  }

  follow(listener: StoreListener): void {
    this.#listener = listener;
  }

  laneOf(): StoreLane {
    return 'local';
  }

  commit(changes: readonly StoreChange[], actor: Actor): Promise<CommitOutcome> {
    return new Promise((resolve) => {
      later(this.#queue, WRITE_MS, () => {
        if (!this.#process.isAlive) return;
        for (const { key, json } of changes.map(recordOf)) {
          if (json === undefined) this.#records.delete(key);
          else this.#records.set(key, json);
        }
        this.#process.resume(() => {
          if (changes.length > 0) this.#listener(changes, actor);
          resolve('written');
        });
      });
    });
  }

  async close(): Promise<void> {}
}
