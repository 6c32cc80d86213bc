// The shared store of a history with all that stands on it: what goes wrong with it, and what each run of each node has.

import type { Effect, RegistryCore, StoreChange } from '@rollcall/server/internal';
import type { Checker } from '../checkers/checker.js';
import type { EventQueue } from '../event-queue.js';
import type { Deed } from '../plan.js';
import type { SeededRandom } from '../seeded-random.js';
import type { SimNode } from '../sim-node.js';
import type { Trace } from '../trace.js';
import { AsyncWork } from './async-work.js';
import { later, NodeProcess } from './node-process.js';
import { NodeStore } from './node-store.js';
import { operate } from './operators.js';
import { StoreConnection } from './store-connection.js';
import type { StoreDeed } from './store-deed.js';
import { endOfFailure, type OperationEnd, operationText, type StoreOperation } from './store-operation.js';
import { StorePath } from './store-path.js';
import { StoreService } from './store-service.js';

/** Deeds that concern the store. */
export type DeedOnStore = Extract<Deed, { type: 'store-cut' | 'store-trouble' | 'store-event' | 'operate' }>;

/** What the store of a history needs of its world. */
export interface StoresSurroundings {
  readonly queue: EventQueue;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly checkers: readonly Checker[];
}

/** Everything about the store. */
export class SharedStores {
  readonly work = new AsyncWork();
  readonly service: StoreService;
  readonly operations: StoreOperation[] = [];
  /** Told when a run of a node has its stores, before anything else. */
  readonly openListeners: ((store: NodeStore) => void)[] = [];
  readonly #around: StoresSurroundings;
  /** Ways from the nodes to the store. */
  readonly #paths = new Map<number, StorePath>();
  readonly #stores = new Map<number, NodeStore>();

  constructor(around: StoresSurroundings) {
    this.#around = around;
    this.service = new StoreService(around.queue, around.random);
  }

  /** Stores of the present run of each node that runs. */
  get open(): Iterable<NodeStore> {
    return this.#stores.values();
  }

  /** A node starts. @returns the records that it has at hand */
  start(node: SimNode, core: RegistryCore): Iterable<StoreChange> {
    const { queue } = this.#around;
    const process = new NodeProcess(node, { queue, work: this.work });
    const connection = new StoreConnection(process, this.#pathOf(node.index), this.service);
    const told = (one: NodeStore) => this.#told(one);
    const store = new NodeStore({ process, core, connection, service: this.service, work: this.work, told });
    this.#stores.set(node.index, store);
    for (const listener of this.openListeners) listener(store);
    let changes: readonly StoreChange[] = [];
    this.work.begin(() => {
      changes = [...store.load()];
    });
    return changes;
  }

  /** A process has ended. */
  crashed(node: SimNode): void {
    this.#stores.get(node.index)?.connection.leave();
    this.#stores.delete(node.index);
  }

  /** A core wants something of its store. */
  perform(node: SimNode, { type, change }: Extract<Effect, { type: 'forget' | 'keep' }>): void {
    this.work.begin(() => this.#stores.get(node.index)?.commits[type](change));
  }

  /** Does what a plan says. */
  do(deed: DeedOnStore): void {
    switch (deed.type) {
      case 'operate':
        this.#operate(deed.node, deed);
        break;
      case 'store-event':
        if (deed.does === 'compact') this.service.data.compact();
        else for (const { connection } of this.open) connection.breakWatches('the stream was reset');
        break;
      case 'store-trouble':
        this.service.begin(deed.trouble);
        later(this.service.queue, deed.forMs, () => this.service.end(deed.trouble));
        break;
      case 'store-cut':
        for (const node of deed.nodes) this.#pathOf(node).set(deed.how);
        later(this.service.queue, deed.forMs, () => {
          for (const node of deed.nodes) this.#pathOf(node).set('open');
        });
        break;
    }
  }

  /** All faults of the store end. */
  calm(): void {
    for (const path of this.#paths.values()) path.set('open');
    this.service.heal();
  }

  #pathOf(node: number): StorePath {
    const path = this.#paths.get(node) ?? new StorePath(this.service);
    this.#paths.set(node, path);
    return path;
  }

  #operate(node: number, { record, which, does }: StoreDeed): void {
    const store = this.#stores.get(node);
    store?.node.deliver(() => {
      if (this.#stores.get(node) === store) this.#begin(store, { record, which, does });
    });
  }

  #begin(store: NodeStore, deed: StoreDeed): void {
    const operation: StoreOperation = {
      number: this.operations.length + 1,
      deed,
      node: store.node.index,
      run: store.run,
      knownRevision: store.shared.figures.revision,
      planned: 0,
      end: 'unanswered',
      endRevision: undefined,
      text: '',
    };
    this.operations.push(operation);
    const end = (how: OperationEnd, text: string) => this.work.guard(() => this.#end(operation, how, text));
    this.work.begin(() =>
      operate(store, operation).then(
        (how) => end(how === 'done' ? 'acknowledged' : 'refused', ''),
        (error: unknown) => this.work.guard(() => end(endOfFailure(error), (error as Error).message)),
      ),
    );
  }

  #end(operation: StoreOperation, end: OperationEnd, text: string): void {
    const { trace, queue, checkers } = this.#around;
    Object.assign(operation, { end, text, endRevision: this.service.data.revision });
    trace.note(queue.now, `operation ${operation.number} ${end} ${text}`);
    trace.tell(queue.now, () => operationText(operation));
    for (const checker of checkers) checker.onOperationEnd?.(operation);
  }

  #told(store: NodeStore): void {
    const { trace, queue, checkers } = this.#around;
    const { revision } = store.shared.figures;
    trace.note(queue.now, `copy ${store.node.index} ${revision}`);
    trace.tell(queue.now, () => `node ${store.node.index} has revision ${revision} of the store`);
    for (const checker of checkers) checker.onCopy?.(store);
  }
}
