// Keeps the list of members up to date while the server runs. A source that cannot be read changes nothing: the members
// stay those of the last good list.

import type { Logger, TimerHandle, Timers } from '@rollcall/runtime';
import type { MemberSource } from './member-source.js';

const RETRY_MS = 1000;
/** Failures in a row of which the log says that the source is away, once (Nacos: `maxHealthCheckFailCount`). */
const FAILURES_LOGGED = 12;

/** Reads a source again and again. */
export class MemberWatch {
  readonly #source: MemberSource;
  readonly #timers: Timers;
  readonly #logger: Logger;
  #members: readonly string[] = [];
  #timer: TimerHandle | undefined;
  #isStopped = false;
  #failures = 0;

  constructor(source: MemberSource, timers: Timers, logger: Logger) {
    this.#source = source;
    this.#timers = timers;
    this.#logger = logger;
  }

  /** The first list. Rejects with the source's last error when it cannot be read in as many tries as it says */
  async first(): Promise<readonly string[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        this.#members = await this.#source.read();
        return this.#members;
      } catch (error) {
        if (tries >= this.#source.tries) throw error;
        await new Promise<void>((resolve) => this.#timers.once(RETRY_MS, resolve));
      }
    }
  }

  /** Reads again from now on. @param onChange - gets each list that differs from the one before */
  start(onChange: (members: readonly string[]) => void): void {
    const { rereadMs } = this.#source;
    if (rereadMs === undefined || this.#isStopped) return;
    this.#timer = this.#timers.once(rereadMs, () => {
      void this.#reread(onChange).then(() => this.start(onChange));
    });
  }

  /** Reads no more. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  async #reread(onChange: (members: readonly string[]) => void): Promise<void> {
    let members: readonly string[];
    try {
      members = await this.#source.read();
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#failures = 0;
    if (this.#isStopped || sameMembers(members, this.#members)) return;
    this.#members = members;
    this.#logger.log('info', 'members-changed', { source: this.#source.name, members: members.join(' ') });
    onChange(members);
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    if (this.#failures !== 1 && this.#failures !== FAILURES_LOGGED) return;
    const { name: source } = this.#source;
    const found = error instanceof Error ? error.message : String(error);
    this.#logger.log('warn', 'members-unreadable', { source, failures: this.#failures, error: found });
  }
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}
