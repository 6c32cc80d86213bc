// Watches a lease run out: when the neutral list shows the instance unhealthy, and when it shows it no more, both
// counted from its last beat as it was seen from outside.
import type { FlowContext, Limits } from './flow-context.js';
import { watchList } from './list-watch.js';

/** The instance whose beats have ended. */
export interface LeaseWatch {
  readonly query: Readonly<Record<string, string>>;
  readonly ip: string;
  /** Wall-clock time of the last beat, in milliseconds. */
  readonly lastBeatAtMs: number;
  /** Allowed seconds from the last beat. */
  readonly unhealthy: Limits;
  readonly removed: Limits;
}

/** When it happened, wall clock in milliseconds. */
export interface LeaseEnd {
  readonly unhealthyAtMs: number;
  readonly removedAtMs: number;
}

const WAIT_MARGIN_MS = 5000;

/**
 * Waits for both ends of a lease and holds them against the limits.
 * @throws FlowFailure when one comes too early, too late or not at all
 */
export async function watchLeaseEnd(context: FlowContext, watch: LeaseWatch): Promise<LeaseEnd> {
  const untilMs = (limits: Limits): number =>
    watch.lastBeatAtMs + limits[context.strength][1] * 1000 + WAIT_MARGIN_MS - Date.now();
  const secondsSinceBeat = (atMs: number): number => Math.round(atMs - watch.lastBeatAtMs) / 1000;

  const unhealthyAtMs = await watchList(context, {
    query: watch.query,
    wanted: `"${watch.ip}" shown unhealthy`,
    until: ({ hosts }) => hosts.find(({ ip }) => ip === watch.ip)?.healthy !== true,
    timeoutMs: untilMs(watch.unhealthy),
  });
  context.requireWithin('last beat to unhealthy', secondsSinceBeat(unhealthyAtMs), 's', watch.unhealthy);

  const removedAtMs = await watchList(context, {
    query: watch.query,
    wanted: `"${watch.ip}" removed`,
    until: ({ hosts }) => !hosts.some(({ ip }) => ip === watch.ip),
    timeoutMs: untilMs(watch.removed),
  });
  context.requireWithin('last beat to removed', secondsSinceBeat(removedAtMs), 's', watch.removed);
  return { unhealthyAtMs, removedAtMs };
}

/** Limits of the default lease: 15 s and 30 s, each within 0.5 s; real servers scan every 5 s. */
export const DEFAULT_LEASE: Pick<LeaseWatch, 'unhealthy' | 'removed'> = {
  unhealthy: { strict: [14.9, 15.5], real: [14.5, 22] },
  removed: { strict: [29.9, 30.5], real: [29, 37] },
};

/** Limits of a lease of 3 s and 6 s. */
export const SHORT_LEASE: Pick<LeaseWatch, 'unhealthy' | 'removed'> = {
  unhealthy: { strict: [2.9, 3.5], real: [2.5, 9.5] },
  removed: { strict: [5.9, 6.5], real: [5.5, 13.5] },
};

/** Metadata of an instance that needs no beats during a flow: its lease lasts an hour. */
export const LONG_LEASE_METADATA: Readonly<Record<string, string>> = {
  'preserved.heart.beat.timeout': '3600000',
  'preserved.ip.delete.timeout': '3600000',
};
