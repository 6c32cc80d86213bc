// Why nothing was heard of an instance, as far as a server can tell. An exit and a kill look alike from here: both close the
// connections of the process. A host that is gone and a client that opens a connection per beat look alike, too.

import type { Cause } from './cause.js';
import type { Fact, InstanceFact, ServerFact } from './fact.js';
import { factsOf, type Incident } from './incident.js';

/** What the decision is made from. */
export interface SilenceQuestion {
  readonly instance: { readonly ip: string; readonly port: number; readonly cluster?: string };
  readonly facts: readonly Fact[];
  readonly server: readonly ServerFact[];
  readonly otherNodes?: readonly { readonly node: string; readonly lastBeatAt: number }[];
}

/** Causes that the fact itself names. */
const NAMED: { readonly [C in NonNullable<InstanceFact['cause']>]?: Cause } = {
  deregistered: 'deregistered',
  'connection-closed': 'exited-without-deregistration',
  'connection-silent': 'frozen',
  'grace-ended': 'restart-grace',
  'confirmed-dead': 'confirmed-dead',
  'holder-lost': 'holder-lost',
  edited: 'operator-edit',
  'set-by-hand': 'operator-edit',
  probe: 'probe-interval',
};

/** A lease that begins this soon after a start was given by the start. */
const RESTORED_MS = 1000;
/** So many gaps are a habit. */
const HABIT_GAPS = 3;

/** The cause of the silence that an incident began with. */
export function causeOfSilence(question: SilenceQuestion, incident: Incident): Cause {
  const { down, back, from, connection, recreated, move } = incident;
  const named = down?.cause === undefined ? undefined : NAMED[down.cause];
  if (named !== undefined) return named;
  // The node that held the lease says that it lives: its client had gone on beating there.
  if (move !== undefined && (back?.node ?? back?.peer) === move.move.from) return 'partition';
  const own = factsOf(question);
  if (own.some(({ type, at }) => type === 'probe-failed' && at === incident.missedAt)) return 'probe-interval';
  if (wasRestored(question, own, incident)) return 'restart-grace';
  const interval = down?.beatIntervalMs ?? 5000;
  if (question.otherNodes?.some(({ lastBeatAt }) => lastBeatAt > from + interval)) return 'other-node';
  const gaps = own.filter((fact) => fact.type === 'beats-resumed').length;
  if (down === undefined) return 'late-beats';
  if (recreated) return 're-created';
  const resumed = back?.cause === 'beat' || back?.cause === 'full-beat';
  if (resumed) return gaps >= HABIT_GAPS ? 'late-beats' : 'frozen';
  if (connection === 'ended') return 'exited-without-deregistration';
  return connection === 'open' ? 'frozen' : 'silent-crash';
}

/** Whether a switch was off at any time between two moments, as far as its changes are known. */
export function switchedOff(
  { server }: Pick<SilenceQuestion, 'server'>,
  name: 'healthCheckEnabled' | 'pushEnabled',
  from: number,
  to: number,
): boolean {
  let off = false;
  for (const fact of server) {
    if (fact.at > to) break;
    const value = fact.type === 'switches-changed' ? fact.changed[name] : undefined;
    if (value === undefined) continue;
    if (off && fact.at > from) return true;
    off = value === 'false';
  }
  return off;
}

/**
 * Leases begin anew with a start of the server: it came during the silence, or is what is taken for the last sign of life of
 * an instance that was known before.
 */
function wasRestored({ server }: SilenceQuestion, own: readonly InstanceFact[], { from, down }: Incident): boolean {
  const until = down?.at ?? Number.POSITIVE_INFINITY;
  const started = server.findLast(({ type, at }) => type === 'server-started' && at > from - RESTORED_MS && at < until);
  if (started === undefined) return false;
  const [first] = own;
  const signs = own.some(({ at, type }) => at >= started.at && at <= from && type !== 'beat-missed');
  return first !== undefined && first.at < started.at && !signs;
}
