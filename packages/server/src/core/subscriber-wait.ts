// Somebody who left and waits until every subscriber knows.

import type { Deadline } from '@rollcall/runtime/deadline-queue';
import type { Instant } from '@rollcall/runtime/time';
import type { Service } from './service.js';
import type { Subscriber } from './subscriber.js';

/** One wait; over when all subscribers acknowledged the version or at its deadline. */
export class SubscriberWait implements Deadline {
  dueAt = 0 as Instant;
  heapIndex = -1;
  readonly id: number;
  readonly service: Service;
  /** Version of the list that must be acknowledged. */
  readonly refTime: number;
  readonly startedAt: Instant;
  /** Subscribers that do not know the version yet. */
  readonly pending: Set<Subscriber>;
  /** Subscribers that do. */
  acknowledged: number;

  constructor(fields: {
    id: number;
    service: Service;
    refTime: number;
    startedAt: Instant;
    pending: Set<Subscriber>;
    acknowledged: number;
  }) {
    this.id = fields.id;
    this.service = fields.service;
    this.refTime = fields.refTime;
    this.startedAt = fields.startedAt;
    this.pending = fields.pending;
    this.acknowledged = fields.acknowledged;
  }

  get purpose(): 'subscriber-wait' {
    return 'subscriber-wait';
  }
}
