// A live view of one service: the current list, what changes, and a choice of one instance. Many views of one service
// share one followed list in the core.

import type { ServiceKey } from '@rollcall/protocol';
import { ClientError } from '../core/client-error.js';
import { type Instance, isUsable } from '../core/instance.js';
import type { InstanceChange } from '../core/instance-change.js';
import { ChangeQueue } from './change-queue.js';
import type { CallOptions } from './operations.js';
import type { Picker, SelectionStrategy, SelectRequest } from './selection/selection-strategy.js';
import { weightedRandom } from './selection/weighted-random.js';
import { ViewBounds } from './view-bounds.js';
import { mergeEvents, type ViewEvent } from './view-event.js';

/** Takes changes. What it throws is logged and reaches nobody else. */
export type ChangeListener = (event: ViewEvent) => void | Promise<void>;

/** What a view needs. */
export interface LiveViewOptions {
  readonly service: ServiceKey;
  /** Only these clusters; empty for all. */
  readonly clusters: readonly string[];
  readonly strategy: SelectionStrategy;
  /** The deadline is that of the first list; none by default. */
  readonly bounds?: CallOptions | undefined;
  /** Called once, when the view is closed. */
  readonly closed: (view: LiveView) => void;
  /** A listener threw. */
  readonly listenerFailed: (error: unknown) => void;
}

/** What one call of `select` may say. */
export interface SelectOptions extends SelectRequest {
  /** Default: the strategy of the view. */
  readonly strategy?: SelectionStrategy | undefined;
}

const NOTHING: InstanceChange = { added: [], removed: [], modified: [] };

/** A live view of a service. Iterating over it gives its changes, the current list first. */
export class LiveView implements AsyncIterable<ViewEvent> {
  /** The service. */
  readonly service: ServiceKey;
  /** Resolves with the first list; rejects with `closed`, `aborted` or `deadline-exceeded` when the view ends before. Need not be awaited. */
  readonly ready: Promise<readonly Instance[]>;
  readonly #options: LiveViewOptions;
  readonly #clusters: ReadonlySet<string>;
  /** A listener that is starting is told the list as it is then, and changes after that. */
  readonly #listeners = new Map<ChangeListener, 'starting' | 'told'>();
  readonly #queues = new Set<ChangeQueue<ViewEvent>>();
  #instances: readonly Instance[] = [];
  #origin: ViewEvent['origin'] = 'server';
  #state: 'waiting' | 'live' | 'closed' = 'waiting';
  #pickers = new Map<SelectionStrategy, Picker>();
  #resolveReady: (instances: readonly Instance[]) => void = () => {};
  #rejectReady: (error: ClientError) => void = () => {};
  readonly #bounds: ViewBounds;

  /** @param options - see there; views are made by `RegistryClient.subscribe` */
  constructor(options: LiveViewOptions) {
    this.service = options.service;
    this.#options = options;
    this.#clusters = new Set(options.clusters);
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    this.#bounds = new ViewBounds(options.bounds ?? {}, this.service.grouped, (reason) => this.#end(reason));
    this.ready.catch(() => {}); // Whoever does not wait for it must not be punished by an unhandled rejection.
  }

  /** The current list, unhealthy and disabled instances included; empty before {@link ready}. */
  get instances(): readonly Instance[] {
    return this.#instances;
  }

  /** Whether there was a list yet. */
  get isReady(): boolean {
    return this.#state === 'live';
  }

  /**
   * Chooses one usable instance: healthy, enabled, weight above 0.
   *
   * @returns undefined when there is none
   */
  select(options: SelectOptions = NO_OPTIONS): Instance | undefined {
    const strategy = options.strategy ?? this.#options.strategy;
    const picker = this.#pickers.get(strategy) ?? this.#prepare(strategy);
    return picker(options);
  }

  /**
   * Calls back for each change. The current list comes first, as added, unless it is empty or not there yet.
   *
   * @returns ends it
   */
  onChange(listener: ChangeListener): () => void {
    if (this.#listeners.has(listener)) return () => this.#listeners.delete(listener);
    this.#listeners.set(listener, this.#instances.length === 0 ? 'told' : 'starting');
    queueMicrotask(() => this.#tellFirst(listener));
    return () => this.#listeners.delete(listener);
  }

  /** Changes as an iteration, the current list first. It ends when the view is closed. */
  [Symbol.asyncIterator](): AsyncIterator<ViewEvent, undefined> {
    const queue = new ChangeQueue<ViewEvent>(mergeEvents, () => this.#queues.delete(queue));
    const first = this.#firstEvent();
    if (first !== undefined) queue.push(first);
    if (this.#state === 'closed') queue.end();
    else this.#queues.add(queue);
    return queue;
  }

  /** Ends the view: no more changes, iterations end. The last list stays readable. */
  close(): void {
    this.#end(new ClientError('closed', `The view of "${this.service.grouped}" was closed before its first list`));
  }

  #end(reason: ClientError): void {
    if (this.#state === 'closed') return;
    if (this.#state === 'waiting') this.#rejectReady(reason);
    this.#state = 'closed';
    this.#bounds.release();
    this.#listeners.clear();
    for (const queue of this.#queues) queue.end();
    this.#options.closed(this);
  }

  /** Takes a list from the core. */
  take(instances: readonly Instance[], change: InstanceChange | undefined, origin: ViewEvent['origin']): void {
    if (this.#state === 'closed') return;
    const own = this.#clusters.size === 0 ? change : this.#ownPart(change);
    const isFirst = this.#state === 'waiting';
    if (own === undefined && !isFirst) return;
    this.#state = 'live';
    this.#origin = origin;
    this.#instances =
      this.#clusters.size === 0 ? instances : instances.filter(({ cluster }) => this.#clusters.has(cluster));
    this.#pickers = new Map();
    if (isFirst) {
      this.#bounds.listed();
      this.#resolveReady(this.#instances);
    }
    if (own === undefined) return;
    const event: ViewEvent = { service: this.service, instances: this.#instances, origin, ...own };
    for (const queue of this.#queues) queue.push(event);
    for (const [listener, state] of [...this.#listeners]) if (state === 'told') this.#tell(listener, event);
  }

  #ownPart(change: InstanceChange | undefined): InstanceChange | undefined {
    if (change === undefined) return undefined;
    const own = (list: readonly Instance[]) => list.filter(({ cluster }) => this.#clusters.has(cluster));
    const [added, removed, modified] = [own(change.added), own(change.removed), own(change.modified)];
    return added.length + removed.length + modified.length === 0 ? undefined : { added, removed, modified };
  }

  #tellFirst(listener: ChangeListener): void {
    if (this.#listeners.get(listener) !== 'starting') return;
    this.#listeners.set(listener, 'told');
    const first = this.#firstEvent();
    if (first !== undefined) this.#tell(listener, first);
  }

  #firstEvent(): ViewEvent | undefined {
    if (this.#instances.length === 0) return undefined;
    return {
      service: this.service,
      origin: this.#origin,
      instances: this.#instances,
      ...NOTHING,
      added: this.#instances,
    };
  }

  #tell(listener: ChangeListener, event: ViewEvent): void {
    try {
      const ended = listener(event);
      if (ended instanceof Promise) ended.catch(this.#options.listenerFailed);
    } catch (error) {
      this.#options.listenerFailed(error);
    }
  }

  #prepare(strategy: SelectionStrategy): Picker {
    const usable = this.#instances.filter(isUsable);
    const picker: Picker = usable.length === 0 ? () => undefined : strategy(usable);
    if (this.#pickers.size >= PICKERS_MAX) this.#pickers.clear();
    this.#pickers.set(strategy, picker);
    return picker;
  }
}

const NO_OPTIONS: SelectOptions = {};
/** Prepared strategies that are kept for one list: a caller who makes one per call must not fill the memory. */
const PICKERS_MAX = 16;

/** The strategy of views that ask for none. */
export const DEFAULT_STRATEGY: SelectionStrategy = weightedRandom();
