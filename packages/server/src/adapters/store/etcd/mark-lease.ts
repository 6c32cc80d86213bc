// The lease of the keys that mark transactions: etcd removes a mark some minutes after it was written, whatever became of its
// node. One lease serves all marks of a minute.

import { status as grpcStatus, type ServiceError } from '@grpc/grpc-js';
import type { EtcdCalls } from './etcd-calls.js';

/** How long marks stay at least; no try of a transaction is on its way for so long. */
const MARK_SECONDS = 180;
/** A lease is used for new marks for so long. */
const USE_MS = 60_000;

/** Keeps a lease at hand. */
export class MarkLease {
  readonly #calls: EtcdCalls;
  #lease: { readonly id: Promise<string>; readonly until: number } | undefined;

  constructor(calls: EtcdCalls) {
    this.#calls = calls;
  }

  /** Id of a lease that lasts long enough. @param deadline - epoch ms. @throws ServiceError when etcd gives none */
  async id(deadline: number): Promise<string> {
    if (this.#lease === undefined || Date.now() >= this.#lease.until) {
      const ttl = MARK_SECONDS + USE_MS / 1000;
      const id = this.#calls.ask('leaseGrant', { ttl }, deadline).then((granted) => granted.id);
      this.#lease = { id, until: Date.now() + USE_MS };
    }
    const lease = this.#lease;
    try {
      return await lease.id;
    } catch (error) {
      if (this.#lease === lease) this.#lease = undefined;
      throw error;
    }
  }

  /** Gives a lease up that etcd does not know. */
  noteFailure(error: unknown): void {
    if ((error as Partial<ServiceError>).code === grpcStatus.NOT_FOUND) this.#lease = undefined;
  }
}
