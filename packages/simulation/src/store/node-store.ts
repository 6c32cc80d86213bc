// What one run of a node has for durable changes: the product's own stores and commits, on a simulated disk and a simulated
// shared store, put together as the app does it.

import type { Logger } from '@rollcall/runtime';
import {
  type Actor,
  DurableCommits,
  FROM_OTHER_NODE,
  type RegistryAccess,
  type RegistryCore,
  SharedStore,
  SplitStore,
  type StoreChange,
} from '@rollcall/server/internal';
import type { SimNode } from '../sim-node.js';
import type { AsyncWork } from './async-work.js';
import { DiskRecords } from './disk-records.js';
import type { NodeProcess } from './node-process.js';
import type { StoreConnection } from './store-connection.js';
import type { StoreService } from './store-service.js';

const SILENT: Logger = { isEnabled: () => false, log: () => undefined };

/** What the stores of a run are made from. */
export interface NodeStoreParts {
  readonly process: NodeProcess;
  readonly core: RegistryCore;
  readonly connection: StoreConnection;
  readonly service: StoreService;
  readonly work: AsyncWork;
  /** Called when a change of the shared store has entered the core. */
  readonly told: (store: NodeStore) => void;
}

/** The stores of one run, and the registry as adapters see it. */
export class NodeStore implements RegistryAccess {
  readonly node: SimNode;
  readonly run: number;
  readonly core: RegistryCore;
  readonly connection: StoreConnection;
  readonly shared: SharedStore;
  readonly commits: DurableCommits;
  readonly #store: SplitStore;

  constructor({ process, core, connection, service, work, told }: NodeStoreParts) {
    const { node, run } = process;
    this.node = node;
    this.run = run;
    this.core = core;
    this.connection = connection;
    const onDisk = (records: Map<string, string>) => new DiskRecords(process, service.queue, records);
    this.shared = new SharedStore({
      keyValues: connection,
      copyOnDisk: onDisk(node.disk.storeCopy),
      clock: process,
      timers: process,
      logger: SILENT,
      run: `${node.index}-${run}`,
    });
    this.#store = new SplitStore({ local: onDisk(node.disk.records), shared: this.shared, logger: SILENT });
    this.commits = new DurableCommits({ core, store: this.#store, logger: SILENT });
    this.#store.follow((changes, actor) =>
      work.guard(() => {
        if (!process.isAlive) return;
        if (actor !== FROM_OTHER_NODE) node.step({ type: 'store', changes, actor });
        told(this);
      }),
    );
  }

  /** What is at hand when the process starts; from then on it follows the shared store. */
  load(): Iterable<StoreChange> {
    return this.#store.load();
  }

  now(): ReturnType<RegistryAccess['now']> {
    return this.node.now;
  }

  step: RegistryAccess['step'] = (input) => this.node.step(input);

  commit(actor: Actor, plan: (core: RegistryCore) => readonly StoreChange[]): Promise<void> {
    return this.commits.commit(actor, plan);
  }

  afterJournal(callback: () => void): void {
    callback();
  }

  async awaitSubscribers(): Promise<never> {
    throw new Error('Nobody waits for subscribers here');
  }
}
