// Reads a request body in the Node lane, bounded in bytes; time is bounded by the owner, who can cut the reading short.

import type { IncomingMessage } from 'node:http';

/** How a body ended. */
export type BodyOutcome =
  | { readonly kind: 'complete'; readonly body: Buffer }
  /** More bytes than allowed were declared or received. */
  | { readonly kind: 'too-large'; readonly foundBytes: number }
  /** The owner stopped waiting, see {@link BodyReading.cut}. */
  | { readonly kind: 'cut' }
  /** The connection is gone. */
  | { readonly kind: 'gone' };

/** One body being read. */
export class BodyReading {
  /** Settles once, never rejects. */
  readonly outcome: Promise<BodyOutcome>;
  readonly #message: IncomingMessage;
  readonly #bytesMax: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #resolve: (outcome: BodyOutcome) => void = () => undefined;

  /** Starts reading. @param bytesMax - most bytes that are kept */
  constructor(message: IncomingMessage, bytesMax: number) {
    this.#message = message;
    this.#bytesMax = bytesMax;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    message.on('data', this.#onData);
    message.on('end', () => this.#settle({ kind: 'complete', body: Buffer.concat(this.#chunks, this.#bytes) }));
    message.on('close', () => this.#settle({ kind: 'gone' }));
    message.on('error', () => this.#settle({ kind: 'gone' }));
  }

  /** Stops waiting; what still comes is thrown away. */
  cut(): void {
    this.#settle({ kind: 'cut' });
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#bytesMax) this.#chunks.push(chunk);
    else this.#settle({ kind: 'too-large', foundBytes: this.#bytes });
  };

  #settle(outcome: BodyOutcome): void {
    this.#message.off('data', this.#onData);
    this.#message.resume();
    this.#chunks.length = 0;
    this.#resolve(outcome);
  }
}

/** Bytes of a body that the head declares; 0 when it declares none. */
export function declaredBytes(message: IncomingMessage): number {
  return Number(message.headers['content-length'] ?? 0);
}
