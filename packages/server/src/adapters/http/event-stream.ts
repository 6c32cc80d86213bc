// Server-sent events as a stream route writes them (WHATWG HTML, section "Server-sent events").

/** One event. */
export interface ServerSentEvent {
  /** Name that the browser dispatches; `message` when left out. One line. */
  readonly event?: string;
  /** Id that a reconnecting browser sends back as `Last-Event-ID`. One line. */
  readonly id?: string;
  /** Text; may have several lines. */
  readonly data: string;
}

/** The open answer of a stream route. */
export interface EventStream {
  /**
   * Sends an event. A reader that does not keep up is closed when more than the limit is waiting, so the sender never waits.
   *
   * @returns whether the stream is still open
   */
  send(event: ServerSentEvent): boolean;
  /** Ends the stream after what was sent. */
  close(): void;
  /** Calls back once when the stream has ended, whoever ended it. */
  onClose(callback: () => void): void;
}
