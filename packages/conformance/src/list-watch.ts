// The neutral observer over time: asks for a list again and again until it is as wanted, and says when that was.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowContext } from './flow-context.js';
import { FlowFailure } from './flow-failure.js';
import type { ListAnswer } from './naming-api.js';

/** What to wait for. */
export interface ListWatch {
  /** Parameters of the list query. */
  readonly query: Readonly<Record<string, string>>;
  /** In words, for the failure. */
  readonly wanted: string;
  readonly until: (list: ListAnswer) => boolean;
  readonly timeoutMs: number;
  /** Pause between two queries, in milliseconds; it bounds the error of the time. */
  readonly everyMs?: number;
}

const PAUSE_MS = 20;

/**
 * Waits until a list is as wanted; returns the wall-clock time in milliseconds at which its answer came.
 * @throws FlowFailure with the last list when it never was
 */
export async function watchList(context: FlowContext, watch: ListWatch): Promise<number> {
  const endsAtMs = Date.now() + watch.timeoutMs;
  for (;;) {
    const list = await context.api.list(watch.query);
    const nowMs = Date.now();
    if (watch.until(list)) return nowMs;
    if (nowMs >= endsAtMs) {
      throw new FlowFailure(
        `${watch.wanted}: not within ${watch.timeoutMs} ms, last hosts ${JSON.stringify(list.hosts)}`,
      );
    }
    await sleep(watch.everyMs ?? PAUSE_MS);
  }
}

/**
 * Asks for a list over a time and fails as soon as it is not as it must stay.
 * @returns how many lists were seen
 * @throws FlowFailure with the list that was different
 */
export async function holdList(
  context: FlowContext,
  hold: Omit<ListWatch, 'until' | 'timeoutMs'> & {
    readonly while: (list: ListAnswer) => boolean;
    readonly forMs: number;
  },
): Promise<number> {
  const startedAtMs = Date.now();
  let seen = 0;
  while (Date.now() - startedAtMs < hold.forMs) {
    const list = await context.api.list(hold.query);
    seen++;
    const afterMs = Date.now() - startedAtMs;
    context.require(hold.while(list), `${hold.wanted}: not after ${afterMs} ms, hosts ${JSON.stringify(list.hosts)}`);
    await sleep(hold.everyMs ?? PAUSE_MS);
  }
  return seen;
}
