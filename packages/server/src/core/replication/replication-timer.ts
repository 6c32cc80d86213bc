// A moment at which replication has something to do, in the one queue of everything that is due.

import type { Deadline } from '@rollcall/runtime/deadline-queue';
import type { Instant } from '@rollcall/runtime/time';

/** A deadline with what happens then. */
export class ReplicationTimer implements Deadline {
  dueAt = 0 as Instant;
  heapIndex = -1;
  readonly run: () => void;

  /** @param run - called when it is due; it has left the queue then */
  constructor(run: () => void) {
    this.run = run;
  }

  get purpose(): 'replication' {
    return 'replication';
  }
}
