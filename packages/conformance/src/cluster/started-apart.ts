// Work on several things that begins one after the other.
import { setTimeout as sleep } from 'node:timers/promises';

/** Begins work for each value, some time after the one before, and resolves when all of it is done. */
export async function startedApart<T>(
  values: readonly T[],
  apartMs: number,
  work: (value: T) => Promise<void>,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  for (const value of values) {
    const promise = work(value);
    // Whoever fails early is reported with the others.
    promise.catch(() => undefined);
    underWay.push(promise);
    await sleep(apartMs);
  }
  await Promise.all(underWay);
}
