// etcd as a key-value store: transactions, listing page by page at one revision, watch.
// Source: etcd 3.4 (errors as seen from 3.4.23).

import { status as grpcStatus, type ServiceError } from '@grpc/grpc-js';
import type {
  Compare,
  KeyEvent,
  KeyValue,
  KeyValueStore,
  Listing,
  Transaction,
  TransactionOutcome,
  WatchListener,
} from '../shared/key-value-store.js';
import { CALL_MS_MAX, type EtcdCalls, type OpenedWatch, reasonOf, wasNeverSent } from './etcd-calls.js';
import { type EtcdCompare, type EtcdMessages, type EtcdOperation, EVENT_DELETE } from './etcd-messages.js';
import { MarkLease } from './mark-lease.js';

/** Records in one answer of a listing. */
const PAGE = 1000;

/** What the store is at. */
export interface EtcdKeyValueOptions {
  readonly name: string;
  /** In front of all keys, with a slash at its end. */
  readonly root: string;
  readonly calls: EtcdCalls;
}

/** A {@link KeyValueStore} in etcd. */
export class EtcdKeyValueStore implements KeyValueStore {
  readonly name: string;
  readonly #root: string;
  readonly #calls: EtcdCalls;
  readonly #lease: MarkLease;

  constructor({ name, root, calls }: EtcdKeyValueOptions) {
    this.#lease = new MarkLease(calls);
    this.name = name;
    this.#root = root;
    this.#calls = calls;
  }

  async transact({ compares, writes, mark }: Transaction): Promise<TransactionOutcome> {
    const deadline = Date.now() + CALL_MS_MAX;
    const compare = compares.map((each) => this.#compareOf(each));
    const success = writes.map((write) => this.#operationOf(write));
    if (mark !== undefined) {
      const key = this.#keyOf(mark.key);
      try {
        success.push({ put: { key, value: Buffer.from(mark.value), lease: await this.#lease.id(deadline) } });
      } catch (error) {
        const state = stateOf(error as ServiceError);
        // Nothing was sent yet, whatever became of the lease.
        return { state: state === 'unknown' ? 'unavailable' : state, reason: reasonOf(error) };
      }
      compare.push({ target: 2, key, modRevision: 0 });
    }
    try {
      const { header, succeeded } = await this.#calls.ask('txn', { compare, success }, deadline);
      return { state: succeeded ? 'written' : 'conflict', revision: Number(header.revision) };
    } catch (error) {
      this.#lease.noteFailure(error);
      return { state: stateOf(error as ServiceError), reason: reasonOf(error) };
    }
  }

  async list(): Promise<Listing> {
    const entries: KeyValue[] = [];
    let store = '';
    let revision = 0;
    let key = Buffer.from(this.#root);
    for (;;) {
      const page = await this.#page(key, revision);
      // The first page fixes the revision, and its member may not be the one that answers the others.
      if (revision === 0) {
        store = page.header.clusterId;
        revision = Number(page.header.revision);
      }
      for (const entry of page.kvs) entries.push(this.#entryOf(entry));
      const last = page.kvs.at(-1);
      if (!page.more || last === undefined) return { store, revision, entries };
      key = Buffer.concat([last.key, Buffer.from([0])]);
    }
  }

  watch(fromRevision: number, listener: WatchListener): () => void {
    let closed = false;
    let close = () => {
      closed = true;
    };
    this.#calls.openWatch().then(
      (opened) => {
        if (closed) opened.stream.cancel();
        else close = this.#serve(opened, fromRevision, listener);
      },
      (error: unknown) => {
        if (!closed) listener.onEnded({ type: 'lost', reason: reasonOf(error) });
      },
    );
    return () => close();
  }

  #serve({ stream, leave }: OpenedWatch, fromRevision: number, listener: WatchListener): () => void {
    let ended = false;
    const end = (type: 'compacted' | 'lost', reason: string) => {
      if (ended) return;
      ended = true;
      stream.cancel();
      if (type === 'lost') leave(reason);
      listener.onEnded({ type, reason });
    };
    stream.on('data', (response: EtcdMessages['WatchResponse']) => {
      if (ended) return;
      const { created, header } = response;
      if (created) listener.onStarted({ store: header.clusterId, revision: Number(header.revision) });
      // That may have closed the watch.
      if (ended) return;
      this.#tellEvents(response, listener);
      if (!response.canceled) return;
      const reason = response.cancelReason || `revision ${fromRevision} is compacted`;
      end(Number(response.compactRevision) > 0 ? 'compacted' : 'lost', reason);
    });
    stream.on('error', (error: ServiceError) => {
      // An answer that is too large cannot be had this way; a listing comes in pages.
      end(error.code === grpcStatus.RESOURCE_EXHAUSTED ? 'compacted' : 'lost', reasonOf(error));
    });
    stream.on('end', () => end('lost', 'etcd ended the watch'));
    const range = { key: Buffer.from(this.#root), rangeEnd: endOfPrefix(this.#root) };
    stream.write({ create: { ...range, startRevision: fromRevision } });
    return () => {
      ended = true;
      stream.cancel();
    };
  }

  close(): void {
    this.#calls.close();
  }

  #page(key: Buffer, revision: number): Promise<EtcdMessages['RangeResponse']> {
    const request = { key, rangeEnd: endOfPrefix(this.#root), limit: PAGE, revision };
    return this.#calls.ask('range', request).catch((error: unknown) => {
      throw new Error(reasonOf(error), { cause: error });
    });
  }

  #tellEvents({ events }: EtcdMessages['WatchResponse'], listener: WatchListener): void {
    let revision = 0;
    let together: KeyEvent[] = [];
    for (const { type, kv } of events) {
      const { key, value, modRevision } = this.#entryOf(kv);
      if (modRevision !== revision && together.length > 0) {
        listener.onEvents(revision, together);
        together = [];
      }
      revision = modRevision;
      together.push({ key, value: type === EVENT_DELETE ? undefined : value });
    }
    if (together.length > 0) listener.onEvents(revision, together);
  }

  #entryOf({ key, value, modRevision }: EtcdMessages['RangeResponse']['kvs'][number]): KeyValue {
    const text = key.toString();
    return { key: text.slice(this.#root.length), value: value.toString(), modRevision: Number(modRevision) };
  }

  #compareOf(compare: Compare): EtcdCompare {
    if (compare.type === 'unchanged') {
      return { target: 2, key: this.#keyOf(compare.key), modRevision: compare.modRevision };
    }
    const prefix = this.#root + compare.prefix;
    return { target: 0, key: Buffer.from(prefix), rangeEnd: endOfPrefix(prefix), version: 0 };
  }

  #operationOf({ key, value }: KeyEvent): EtcdOperation {
    if (value === undefined) return { deleteRange: { key: this.#keyOf(key) } };
    return { put: { key: this.#keyOf(key), value: Buffer.from(value) } };
  }

  #keyOf(key: string): Buffer {
    return Buffer.from(this.#root + key);
  }
}

/** The first key after all that begin with a text; the text ends in a byte below 255. */
function endOfPrefix(prefix: string): Buffer {
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end.at(-1) as number) + 1;
  return end;
}

/** A call that found no connection was never sent; any other failure on the way leaves it open whether etcd took it. */
function stateOf(error: ServiceError): 'refused' | 'unavailable' | 'unknown' {
  if (wasNeverSent(error)) return 'unavailable';
  switch (error.code) {
    case grpcStatus.NOT_FOUND:
      // The lease of the mark is gone; the next try has another.
      return 'unavailable';
    case grpcStatus.INVALID_ARGUMENT:
    case grpcStatus.PERMISSION_DENIED:
    case grpcStatus.UNAUTHENTICATED:
    case grpcStatus.RESOURCE_EXHAUSTED:
    case grpcStatus.FAILED_PRECONDITION:
    case grpcStatus.UNIMPLEMENTED:
    case grpcStatus.OUT_OF_RANGE:
      return 'refused';
    default:
      return 'unknown';
  }
}
