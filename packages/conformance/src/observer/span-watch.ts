// When the neutral list changed, between two of many queries.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowContext } from '../flow-context.js';
import { FlowFailure } from '../flow-failure.js';
import type { ListAnswer } from '../naming-api.js';
import type { ObservedSpan } from './observed-span.js';

const PAUSE_MS = 5;

/**
 * Asks for a list until it is as wanted.
 * @returns from the start of the last query that was answered otherwise to the answer of the first one as wanted
 * @throws FlowFailure when it never was
 */
export async function watchSpan(
  context: FlowContext,
  serviceName: string,
  { wanted, timeoutMs }: { readonly wanted: (list: ListAnswer) => boolean; readonly timeoutMs: number },
): Promise<ObservedSpan> {
  const endsAtMs = Date.now() + timeoutMs;
  let fromMs = Date.now();
  for (;;) {
    const askedAtMs = Date.now();
    const list = await context.api.list({ serviceName });
    if (wanted(list)) return { fromMs, untilMs: Date.now() };
    if (askedAtMs > endsAtMs)
      throw new FlowFailure(`The list of "${serviceName}" was not as wanted in ${timeoutMs} ms`);
    fromMs = askedAtMs;
    await sleep(PAUSE_MS);
  }
}
