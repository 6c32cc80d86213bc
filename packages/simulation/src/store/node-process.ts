// One run of a node as code sees it that waits: a clock, timers, and answers that come only while this run goes on. When the
// process stands still they wait; when it has ended they never come.

import type { Clock, Now, TimerHandle, Timers } from '@rollcall/runtime';
import type { EventQueue } from '../event-queue.js';
import type { SimNode } from '../sim-node.js';
import type { AsyncWork } from './async-work.js';

/**
 * Events of the store happen between the whole milliseconds at which those of registries happen, so that they do not change
 * the order of those.
 */
const BETWEEN_MS = 0.25;

/** What a process runs in. */
export interface ProcessSurroundings {
  readonly queue: EventQueue;
  readonly work: AsyncWork;
}

/** A process. */
export class NodeProcess implements Clock, Timers {
  readonly node: SimNode;
  /** Which run of the node. */
  readonly run: number;
  readonly #around: ProcessSurroundings;

  constructor(node: SimNode, around: ProcessSurroundings) {
    this.node = node;
    this.run = node.run;
    this.#around = around;
  }

  /** Whether it has not ended. */
  get isAlive(): boolean {
    return this.node.run === this.run && this.node.state !== 'down';
  }

  /** Something reaches the process: now, after it went on, or never. */
  resume(action: () => void): void {
    if (!this.isAlive) return;
    const { queue, work } = this.#around;
    const isAwake = this.node.state === 'running';
    this.node.deliver(() => {
      if (!this.isAlive) return;
      if (isAwake) work.begin(action);
      else queue.at(Math.floor(queue.now) + BETWEEN_MS, () => this.resume(action));
    });
  }

  now(): Now {
    return this.node.now;
  }

  once(delayMs: number, callback: () => void): TimerHandle {
    let wanted: (() => void) | undefined = callback;
    const { mono } = this.node.now;
    const due = this.node.clock.virtualOf((mono + Math.max(1, delayMs)) as Now['mono']);
    this.#around.queue.at(due + BETWEEN_MS, () => {
      if (wanted !== undefined) this.resume(() => wanted?.());
    });
    return {
      cancel: () => {
        wanted = undefined;
      },
    };
  }

  every(intervalMs: number, callback: () => void): TimerHandle {
    const again = () => {
      handle = this.once(intervalMs, again);
      callback();
    };
    let handle = this.once(intervalMs, again);
    return { cancel: () => handle.cancel() };
  }
}

/** Lets something of a store happen in whole `ms`, at least 1. */
export function later(queue: EventQueue, ms: number, action: () => void): void {
  queue.at(Math.floor(queue.now) + Math.max(1, Math.floor(ms)) + BETWEEN_MS, action);
}
