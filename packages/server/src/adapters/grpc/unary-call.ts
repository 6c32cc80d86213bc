// A unary call while its request comes in: exactly one message, then its end.
// Source: contract 9.1 for the statuses.

import { FrameError } from '@rollcall/protocol';
import { refusalBlock, STATUS, type Status } from './answer-blocks.js';
import type { RefusalReason } from './grpc-counters.js';
import type { Http2Stream, StreamReceiver } from './http2/http2-stream.js';
import type { IncomingMessages } from './incoming-messages.js';

/** What happens to calls. */
export interface UnaryCallOwner {
  /** The request is there. */
  onMessage(call: UnaryCall, message: Uint8Array): void;
  /** The call was refused. */
  onRefused(reason: RefusalReason): void;
  /** The request is complete, refused, or gone: nobody waits for it any more. */
  onSettled(call: UnaryCall): void;
}

/** One call. */
export class UnaryCall implements StreamReceiver {
  readonly stream: Http2Stream;
  /** Monotonic ms. */
  readonly beganAt: number;
  readonly #owner: UnaryCallOwner;
  readonly #messages: IncomingMessages;
  #message: Uint8Array | undefined;
  #settled = false;

  constructor(
    stream: Http2Stream,
    options: { readonly owner: UnaryCallOwner; readonly messages: IncomingMessages; readonly now: number },
  ) {
    this.stream = stream;
    this.beganAt = options.now;
    this.#owner = options.owner;
    this.#messages = options.messages;
  }

  data(bytes: Uint8Array): void {
    if (this.#settled) return;
    try {
      for (const message of this.#messages.push(bytes)) this.#take(message);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      if (error.grpcStatus === 12) this.refuse('compressed', STATUS.unimplemented, error.message);
      else this.refuse('too-large', STATUS.resourceExhausted, error.message);
    }
  }

  end(): void {
    if (this.#settled) return;
    if (this.#message === undefined || this.#messages.isIncomplete) {
      this.refuse('no-message', STATUS.internal, 'No whole message in a unary call');
      return;
    }
    this.#settle();
    this.#owner.onMessage(this, this.#message);
  }

  closed(): void {
    this.#settle();
    this.#messages.close();
  }

  /** Answers with a status instead of a message. @param text - for people */
  refuse(reason: RefusalReason, status: Status, text: string): void {
    this.#settle();
    this.#owner.onRefused(reason);
    this.stream.refuse(refusalBlock(status, text));
  }

  #take(message: Uint8Array): void {
    if (this.#message === undefined) this.#message = message;
    else if (!this.#settled) this.refuse('two-messages', STATUS.internal, 'Two messages in a unary call');
  }

  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#owner.onSettled(this);
  }
}
