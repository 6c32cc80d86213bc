// Log lines about peers: one for each thing that is wrong with each peer, then none until it is over or a minute has
// passed. A node that cannot be reached is dialled every second.

import type { Clock, LogFields, Logger } from '@rollcall/runtime';

const AGAIN_MS = 60_000;
/** Things remembered; beyond them the oldest is forgotten, and may be logged again. */
const REMEMBERED_MAX = 1000;

/** Writes the lines. */
export class PeerNotices {
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Time of the last line, by what it was about. */
  readonly #told = new Map<string, number>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Something is wrong with a peer.
   *
   * @param peer - node, or the address when the node is not known
   * @param kind - tells things of one reason apart
   */
  warn(event: string, peer: string, fields: LogFields, kind = ''): void {
    const about = `${event} ${peer} ${String(fields.reason ?? '')} ${kind}`;
    const now = this.#clock.now().mono;
    if (now - (this.#told.get(about) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    this.#told.delete(about);
    this.#told.set(about, now);
    if (this.#told.size > REMEMBERED_MAX) this.#told.delete(this.#told.keys().next().value as string);
    this.#logger.log('warn', event, { peer, ...fields });
  }

  /** All is well with a peer: the next trouble is news again. */
  info(event: string, peer: string, fields: LogFields = {}): void {
    for (const about of this.#told.keys()) if (about.split(' ')[1] === peer) this.#told.delete(about);
    this.#logger.log('info', event, { peer, ...fields });
  }
}
