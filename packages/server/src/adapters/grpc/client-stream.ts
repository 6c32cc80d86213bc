// The stream over which a client says who it is, is pushed, and acknowledges.
// Source: contract 5.3 and 6.

import { FrameError } from '@rollcall/protocol';
import { ANSWER_HEAD, STATUS, TRAILERS } from './answer-blocks.js';
import type { RefusalReason } from './grpc-counters.js';
import type { Http2Stream, StreamReceiver } from './http2/http2-stream.js';
import type { OutgoingMessage } from './http2/outgoing-message.js';
import type { IncomingMessages } from './incoming-messages.js';

/** What happens on such streams. */
export interface ClientStreamOwner {
  onMessage(message: Uint8Array): void;
  /** The client sent what cannot be taken; the stream has ended. */
  onRefused(reason: RefusalReason): void;
  /** The stream is gone. */
  onClosed(stream: ClientStream): void;
}

/** One stream. */
export class ClientStream implements StreamReceiver {
  readonly #stream: Http2Stream;
  readonly #owner: ClientStreamOwner;
  readonly #messages: IncomingMessages;

  constructor(stream: Http2Stream, owner: ClientStreamOwner, messages: IncomingMessages) {
    this.#stream = stream;
    this.#owner = owner;
    this.#messages = messages;
    stream.respond(ANSWER_HEAD);
  }

  /** Whether something can be sent. */
  get isWritable(): boolean {
    return this.#stream.isWritable;
  }

  data(bytes: Uint8Array): void {
    try {
      for (const message of this.#messages.push(bytes)) this.#owner.onMessage(message);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#owner.onRefused(error.grpcStatus === 12 ? 'compressed' : 'too-large');
      this.#stream.finish(TRAILERS[error.grpcStatus === 12 ? STATUS.unimplemented : STATUS.resourceExhausted]);
    }
  }

  /** The client ended its half, so status 0 misleads nobody here. */
  end(): void {
    this.#stream.finish(TRAILERS[STATUS.ok]);
  }

  closed(): void {
    this.#messages.close();
    this.#owner.onClosed(this);
  }

  /** Sends a message. */
  send(message: OutgoingMessage): void {
    this.#stream.send(message);
  }

  /** Ends the stream with a status that makes every SDK come back; with 0 the Python one would believe that all is well. */
  endUnavailable(): void {
    this.#stream.finish(TRAILERS[STATUS.unavailable]);
  }
}
