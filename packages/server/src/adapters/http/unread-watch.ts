// Closes a connection whose peer takes no bytes of what we wrote. The socket's own timer is used, since it alone sees progress
// inside one large write, but only while a sweep finds something unread: other connections have no timer.

import type { Socket } from 'node:net';

/** Watches one connection. */
export class UnreadWatch {
  readonly #socket: Socket;
  readonly #unreadMs: number;
  readonly #onUnread: () => void;
  #armed = false;

  /**
   * @param unreadMs - allowed time without any progress
   * @param onUnread - called when it has passed
   */
  constructor(socket: Socket, unreadMs: number, onUnread: () => void) {
    this.#socket = socket;
    this.#unreadMs = unreadMs;
    this.#onUnread = onUnread;
  }

  /** Looks whether something is unread; to be called from time to time. */
  sweep(): void {
    if (this.#socket.writableLength === 0) {
      this.disarm();
    } else if (!this.#armed) {
      this.#armed = true;
      this.#socket.setTimeout(this.#unreadMs, this.#onUnread);
    }
  }

  /** Stops watching. */
  disarm(): void {
    if (!this.#armed) return;
    this.#armed = false;
    this.#socket.setTimeout(0, this.#onUnread);
  }
}
