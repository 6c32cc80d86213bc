// One watch of a process: events in order of revisions, after the way from the store and whatever holds them up.

import type { WatchEnd, WatchListener } from '@rollcall/server/internal';
import { later, type NodeProcess } from './node-process.js';
import type { StorePath } from './store-path.js';
import type { StoreService } from './store-service.js';

const WAY_MS_MAX = 8;
/** While watches are late, by this. */
const LATE_MS_MAX = 4000;

/** What a watch stands on. */
export interface WatchSurroundings {
  readonly process: NodeProcess;
  readonly path: StorePath;
  readonly service: StoreService;
  readonly listener: WatchListener;
  /** Called when it is over. */
  readonly over: () => void;
}

/** A watch. */
export class StoreWatch {
  readonly #around: WatchSurroundings;
  /** The first revision that was not told. */
  #next: number;
  #isOpen = false;
  #isOver = false;

  constructor(fromRevision: number, around: WatchSurroundings) {
    this.#next = fromRevision;
    this.#around = around;
    this.advance();
  }

  /** Goes on in a moment: something was written, or what held it up may be gone. */
  advance(): void {
    const { service } = this.#around;
    const lateMs = service.has('late-watches') ? service.random.integer(0, LATE_MS_MAX) : 0;
    later(service.queue, service.random.integer(1, WAY_MS_MAX) + lateMs, () => this.#tell());
  }

  /** Ends it, and says so. */
  end(end: WatchEnd): void {
    if (this.#isOver) return;
    this.close();
    this.#around.process.resume(() => this.#around.listener.onEnded(end));
  }

  /** Ends it without a word. */
  close(): void {
    this.#isOver = true;
    this.#around.over();
  }

  #tell(): void {
    const { service, path, process, listener } = this.#around;
    if (this.#isOver || path.state !== 'open') return;
    if (!process.isAlive || service.has('no-quorum')) {
      this.end({ type: 'lost', reason: 'no leader' });
      return;
    }
    if (!this.#isOpen) {
      this.#isOpen = true;
      const at = service.data.position;
      this.#say(() => listener.onStarted(at));
    }
    const revisions = service.data.since(this.#next);
    if (revisions === undefined) {
      this.end({ type: 'compacted', reason: `revision ${this.#next} has been compacted` });
      return;
    }
    for (const { revision, events } of revisions) {
      this.#next = revision + 1;
      this.#say(() => listener.onEvents(revision, events));
    }
  }

  /** What is on its way when the process closes the watch is not told. */
  #say(action: () => void): void {
    this.#around.process.resume(() => {
      if (!this.#isOver) action();
    });
  }
}
