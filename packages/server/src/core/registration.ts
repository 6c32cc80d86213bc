// One publisher's claim of one instance, and the lease that keeps it alive when the publisher is an HTTP client.

import { type InstanceContent, type LeaseTimes, leaseTimesOf } from '@rollcall/protocol';
import type { Instant } from '@rollcall/runtime';
import type { Deadline } from './deadline-queue.js';
import { withOverlay } from './edit-overlay.js';
import type { InstanceRecord } from './instance-record.js';

/** Publisher of everything registered over HTTP: the address itself is the identity. */
export const HTTP_PUBLISHER = 'http';
/** Publisher of persistent instances. */
export const STORE_PUBLISHER = 'store';

/** A claim. The newest one of an instance gives its content; the instance is there while any is. */
export class Registration implements Deadline {
  dueAt = 0 as Instant;
  heapIndex = -1;
  readonly record: InstanceRecord;
  readonly publisher: string;
  /** What the publisher sent last. */
  registered: InstanceContent;
  /** What is left of it after an operator's removals; the same object as `registered` without such. */
  base: InstanceContent;
  healthy: boolean;
  /** Last sign of life: registration or beat. */
  lastBeat: Instant;
  lastBeatWall: number;
  /** A connection from before a restart, kept until its grace ends. */
  orphaned = false;

  constructor(fields: {
    record: InstanceRecord;
    publisher: string;
    content: InstanceContent;
    healthy: boolean;
    lastBeat: Instant;
    lastBeatWall: number;
  }) {
    this.record = fields.record;
    this.publisher = fields.publisher;
    this.registered = fields.content;
    this.base = fields.content;
    this.healthy = fields.healthy;
    this.lastBeat = fields.lastBeat;
    this.lastBeatWall = fields.lastBeatWall;
  }

  /** Durations of the lease: from the publisher's own metadata with the operator's edits over it. */
  get leaseTimes(): LeaseTimes {
    return leaseTimesOf(withOverlay(this.base, this.record.overlay).metadata);
  }

  /** Tells the deadline apart from other kinds in the queue. */
  get purpose(): 'registration' {
    return 'registration';
  }
}
