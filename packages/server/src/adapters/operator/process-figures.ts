// How busy machine and process are, for the operator's metrics. Source: names of Nacos 1.4.8 EnvUtil (getCPU, getLoad, getMem).

import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import { cpuUsage } from 'node:process';
import type { Now } from '@rollcall/runtime';

/** Shares are 0 to 1. */
export interface Figures {
  /** Share of all processors that this process used since the figures were last read. */
  readonly cpu: number;
  /** Load average of one minute. */
  readonly load: number;
  /** Share of the machine's memory in use. */
  readonly mem: number;
}

/** Reads figures; the share of processors is that since the reading before. */
export class ProcessFigures {
  #readAt: number;
  #usedMicros = cpuUsage().user + cpuUsage().system;

  constructor(now: Now) {
    this.#readAt = now.mono;
  }

  read(now: Now): Figures {
    const { user, system } = cpuUsage();
    const elapsedMicros = Math.max(1, now.mono - this.#readAt) * 1000 * availableParallelism();
    const cpu = Math.min(1, Math.max(0, (user + system - this.#usedMicros) / elapsedMicros));
    this.#readAt = now.mono;
    this.#usedMicros = user + system;
    return { cpu, load: loadavg()[0] ?? 0, mem: 1 - freemem() / totalmem() };
  }
}
