// The messages that come in on one stream, within the room that is left for incomplete ones.

import { FrameError, MessageCutter } from '@rollcall/protocol';
import type { MessageRoom } from './message-room.js';

/** Messages of one stream. */
export class IncomingMessages {
  readonly #room: MessageRoom;
  readonly #cutter: MessageCutter;
  #takenBytes = 0;

  /** @param messageBytesMax - longest message that is taken */
  constructor(room: MessageRoom, messageBytesMax: number) {
    this.#room = room;
    this.#cutter = new MessageCutter(messageBytesMax);
  }

  /** Whether a message has begun and not ended. */
  get isIncomplete(): boolean {
    return this.#cutter.heldBytes > 0;
  }

  /**
   * Takes bytes and gives the messages that they complete.
   *
   * @throws FrameError for a message that is not taken; the stream is of no use after that
   */
  push(bytes: Uint8Array): Uint8Array[] {
    const messages = this.#cutter.push(bytes);
    if (!this.#hold(this.#cutter.heldBytes))
      throw new FrameError(8, 'Message is incomplete and the room for such messages is used up; send it again');
    return messages;
  }

  /** Gives the room back. */
  close(): void {
    this.#hold(0);
  }

  #hold(bytes: number): boolean {
    if (bytes === this.#takenBytes) return true;
    if (!this.#room.take(bytes - this.#takenBytes)) return false;
    this.#takenBytes = bytes;
    return true;
  }
}
