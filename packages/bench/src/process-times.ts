// What a server and this process spent on something, and how long each could have run and had no core: on a machine with
// other work the second often is the larger one, and no fault of either.
import type { Contender } from './contender.js';
import { readCpuSeconds, readWaitedSeconds } from './process-figures.js';

/** Times of a server and of this process, in ms; not a number where they cannot be read. */
export interface PairOfTimes {
  readonly server: number;
  readonly self: number;
}

/** Times from its making on. */
export class ProcessTimes {
  readonly #pid: number | undefined;
  readonly #cpuBefore: PairOfTimes;
  readonly #waitedBefore: PairOfTimes;

  constructor({ pid }: Contender) {
    this.#pid = pid;
    this.#cpuBefore = this.#read(readCpuSeconds);
    this.#waitedBefore = this.#read(readWaitedSeconds);
  }

  /** CPU time so far, all threads. */
  cpu(): PairOfTimes {
    return difference(this.#read(readCpuSeconds), this.#cpuBefore);
  }

  /** How long the main threads waited for a core so far. */
  waited(): PairOfTimes {
    return difference(this.#read(readWaitedSeconds), this.#waitedBefore);
  }

  #read(read: (pid: number) => number | undefined): PairOfTimes {
    const of = (pid: number | undefined) => ((pid === undefined ? undefined : read(pid)) ?? Number.NaN) * 1000;
    return { server: of(this.#pid), self: of(process.pid) };
  }
}

function difference(after: PairOfTimes, before: PairOfTimes): PairOfTimes {
  return { server: after.server - before.server, self: after.self - before.self };
}
