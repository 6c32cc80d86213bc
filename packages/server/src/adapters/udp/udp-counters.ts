// What happened on the UDP side since the start, as plain numbers: hot paths only add, metrics read.

/** Counters since the start. */
export class UdpCounters {
  /** Datagrams handed to the system. */
  datagrams = 0;
  /** Their bytes. */
  bytes = 0;
  /** From the first push of the last round to its last datagram, ms; a round ends when nothing is left to be sent. */
  lastRoundMs = 0;
  /** Pushes of which the subscriber was gone, or had acknowledged, before their turn to be sent came. */
  needless = 0;
  /** Pushes that no datagram can hold. */
  tooLarge = 0;
  /** Datagrams received. */
  received = 0;
  /** Of these, larger than an acknowledgement may be. */
  oversized = 0;
  /** Of these, without a number that could be one of ours. */
  unreadable = 0;
  /** Failed sends and other errors of the socket by code of the system. */
  readonly socketErrors = new Map<string, number>();

  /** One more error of the socket. */
  countSocketError(code: string): void {
    this.socketErrors.set(code, (this.socketErrors.get(code) ?? 0) + 1);
  }
}
