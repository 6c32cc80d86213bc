// How many bytes of incomplete messages may be kept: of one connection, and of all together. A little is every connection's
// own, so that a few which use up the room of all leave the others their requests.

/** Bytes that a connection may always keep. */
const OWN_BYTES = 64 * 1024;

/** Room for incomplete messages. */
export class MessageRoom {
  readonly #bytesMax: number;
  readonly #larger: MessageRoom | undefined;
  #bytes = 0;

  /** @param larger - room that this one is part of */
  constructor(bytesMax: number, larger?: MessageRoom) {
    this.#bytesMax = bytesMax;
    this.#larger = larger;
  }

  /** Whether there is room for more. */
  hasRoomFor(bytes: number): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false;
    return this.#larger === undefined || this.#bytes + bytes <= OWN_BYTES || this.#larger.hasRoomFor(bytes);
  }

  /** Takes room, or gives it back when negative. @returns whether there was enough; nothing is taken otherwise */
  take(bytes: number): boolean {
    if (bytes > 0 && !this.hasRoomFor(bytes)) return false;
    this.#add(bytes);
    return true;
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#larger !== undefined) this.#larger.#add(bytes);
  }
}
