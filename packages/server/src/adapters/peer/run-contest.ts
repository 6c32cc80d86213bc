// Two processes with the address of one node. When a node restarts, its old connection may still look alive for a moment:
// the newcomer waits until the old one is silent or gone. If that one still talks, both run, and the one that started later
// must stop; both of their peers decide alike, whichever they heard of first. Whoever reads slowly still has much to read of
// one that is gone: only what comes after a moment without anything to read shows that it lives.

import type { Instant, TimerHandle } from '@rollcall/runtime';
import type { AcceptedPeer } from './accepted-peer.js';
import type { PeerContext } from './peer-context.js';
import { PeerFault } from './peer-fault.js';

/** What comes of the old one before this counts as left over from before its end, on its way when it ended. */
const LEFT_OVER_MS = 1000;
/** A process that lives sends a ping each second. */
const SILENT_MS = 3000;
const LOOK_MS = 250;
/**
 * Looks in a row at which more had come; after so many it is talking without pause. What a socket holds for a reader is read
 * in fewer: up to 2 MiB between two looks, of a few MiB.
 */
const BUSY_LOOKS_MAX = 12;

/** Decides between an open connection and a newcomer with the same node id. */
export class RunContest {
  readonly #context: PeerContext;
  readonly #holder: AcceptedPeer;
  readonly #newcomer: AcceptedPeer;
  readonly #startedAt: Instant;
  readonly #onWon: () => void;
  readonly #timer: TimerHandle;
  /** Bytes that may be left over from before its end. */
  #leftOverBytes = -1;
  #isAllRead = false;
  #busyLooks = 0;

  /** @param options.onWon - the newcomer may come in; the holder's connection is gone then */
  constructor(
    context: PeerContext,
    options: { readonly holder: AcceptedPeer; readonly newcomer: AcceptedPeer; readonly onWon: () => void },
  ) {
    this.#context = context;
    this.#holder = options.holder;
    this.#newcomer = options.newcomer;
    this.#onWon = options.onWon;
    this.#startedAt = context.clock.now().mono;
    this.#timer = context.timers.every(LOOK_MS, () => this.look());
  }

  /** The newcomer. */
  get newcomer(): AcceptedPeer {
    return this.#newcomer;
  }

  /** Ends it without a decision: the newcomer is gone. */
  cancel(): void {
    this.#timer.cancel();
  }

  /** The holder's connection is gone. */
  holderLeft(): void {
    this.#timer.cancel();
    this.#onWon();
  }

  /** Looks whether it can be decided. The end of the holder's connection comes back as {@link holderLeft}. */
  look(): void {
    const now = this.#context.clock.now().mono;
    const { lastFrameAt, receivedBytes } = this.#holder;
    if (!this.#isAllRead) this.#lookForLeftOvers(receivedBytes);
    if (now - lastFrameAt > SILENT_MS) this.#holder.close();
    else if (this.#isAllRead && receivedBytes > this.#leftOverBytes && lastFrameAt - this.#startedAt >= LEFT_OVER_MS)
      this.#decide();
  }

  #lookForLeftOvers(receivedBytes: number): void {
    this.#isAllRead = receivedBytes === this.#leftOverBytes || this.#busyLooks >= BUSY_LOOKS_MAX;
    this.#busyLooks += 1;
    this.#leftOverBytes = receivedBytes;
  }

  #decide(): void {
    this.#timer.cancel();
    const found = `two processes run as node "${this.#holder.hello?.node}", the later one stops`;
    const fault = new PeerFault('address-taken', found);
    (isLater(this.#newcomer, this.#holder) ? this.#newcomer : this.#holder).refuse(fault);
  }
}

function isLater({ hello: a }: AcceptedPeer, { hello: b }: AcceptedPeer): boolean {
  if (a === undefined || b === undefined) return true;
  return a.startedAt === b.startedAt ? a.runId > b.runId : a.startedAt > b.startedAt;
}
