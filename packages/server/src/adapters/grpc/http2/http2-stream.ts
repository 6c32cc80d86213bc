// One stream: what its owner may do with it. The connection keeps its state.
// Source: RFC 9113 section 5.1.

import type { ErrorCodeName } from './http2-error.js';
import type { OutgoingMessage } from './outgoing-message.js';

/** Takes what the peer sends on a stream. */
export interface StreamReceiver {
  /** Bytes of the body: a view into what was received, which nobody writes to again. */
  data(bytes: Uint8Array): void;
  /** The peer has sent everything. */
  end(): void;
  /** The stream is gone, for whatever reason. Comes once and last. */
  closed(): void;
}

/** What carries streams. */
export interface StreamCarrier {
  /** Sends the head of the answer. */
  respond(stream: Http2Stream, block: Uint8Array): void;
  /** Sends part of the body, now or when the peer allows it. */
  send(stream: Http2Stream, message: OutgoingMessage): void;
  /** Sends head, body and trailers. */
  answer(stream: Http2Stream, answer: WholeAnswer): void;
  /** Sends trailers behind what waits, and the stream is over for this side. */
  finishStream(stream: Http2Stream, trailers: Uint8Array): void;
  /** Sends what says that the request is not answered; the peer has to pay for too many of them. */
  refuse(stream: Http2Stream, block: Uint8Array): void;
  /** Ends the stream at once. */
  reset(stream: Http2Stream, code: ErrorCodeName): void;
}

/** An answer that is known as a whole: blocks of fields and the body between them. */
export interface WholeAnswer {
  readonly head: Uint8Array;
  readonly body: Uint8Array;
  readonly trailers: Uint8Array;
}

/** A stream. */
export class Http2Stream {
  /** Odd, rising within a connection. */
  readonly id: number;
  readonly #carrier: StreamCarrier;
  receiver: StreamReceiver | undefined;
  /** The peer may still send. */
  isRemoteOpen = true;
  /** This side has not ended it. What was sent before may still wait. */
  isLocalOpen = true;
  isGone = false;
  /** Bytes that the peer still takes; negative after it lowered its setting. */
  sendWindow: number;
  /** Bytes that this side still takes. */
  receiveWindow: number;
  /** Parts of the body that wait for the window, the first one perhaps begun. */
  waiting: Uint8Array[] = NOTHING;
  /** Trailers that wait behind them. */
  waitingTrailers: Uint8Array | undefined;

  constructor(id: number, carrier: StreamCarrier, windows: { readonly send: number; readonly receive: number }) {
    this.id = id;
    this.#carrier = carrier;
    this.sendWindow = windows.send;
    this.receiveWindow = windows.receive;
  }

  /** Whether something can still be sent. */
  get isWritable(): boolean {
    return this.isLocalOpen && !this.isGone;
  }

  /** Sends the head of the answer. @param block - its fields */
  respond(block: Uint8Array): void {
    if (this.isWritable) this.#carrier.respond(this, block);
  }

  /** Sends a message. */
  send(message: OutgoingMessage): void {
    if (this.isWritable) this.#carrier.send(this, message);
  }

  /** Sends the whole answer and ends the stream. */
  answer(answer: WholeAnswer): void {
    if (this.isWritable) this.#carrier.answer(this, answer);
  }

  /** Ends the stream with trailers. */
  finish(trailers: Uint8Array): void {
    if (this.isWritable) this.#carrier.finishStream(this, trailers);
  }

  /** Ends the stream with a head that is all of the answer: the request is of no use. */
  refuse(block: Uint8Array): void {
    if (this.isWritable) this.#carrier.refuse(this, block);
  }

  /** Ends the stream without more words. */
  reset(code: ErrorCodeName): void {
    if (!this.isGone) this.#carrier.reset(this, code);
  }
}

/** Shared by all streams on which nothing waits. */
const NOTHING: Uint8Array[] = [];
