// Incidents of one instance: from the last sign of life over unhealthy and removed to well again, found in its facts.

import { type Fact, type InstanceFact, isInstanceFact, type LeaseStep } from './fact.js';

/** A move of a lease that took it from a node which could not be relied on. */
export type LeaseMoved = InstanceFact & { readonly move: LeaseStep };

/** One incident. */
export interface Incident {
  /** Last sign of life, as `Fact.at`. */
  readonly from: number;
  /** The move of the lease with which the silence began here: from `from` until then nobody could judge it. */
  readonly move: LeaseMoved | undefined;
  /** A move between `down` and `removed`. */
  readonly laterMove: LeaseMoved | undefined;
  /** When the first beat was known to be late, or the first probe failed. */
  readonly missedAt: number | undefined;
  /** What changed the list first: unhealthy, removed, or edited out. Undefined while a beat is only late. */
  readonly down: InstanceFact | undefined;
  readonly removed: InstanceFact | undefined;
  /** What made it well again. */
  readonly back: InstanceFact | undefined;
  /** Whether it came back by a beat after it was removed. */
  readonly recreated: boolean;
  /** How the connection ended over which beats had come, when that was seen. */
  readonly connection: 'ended' | 'reset' | 'open' | undefined;
}

const CONNECTIONS: { readonly [T in InstanceFact['type']]?: NonNullable<Incident['connection']> } = {
  'beat-connection-ended': 'ended',
  'beat-connection-reset': 'reset',
  'beat-connection-open': 'open',
};

type Open = { -readonly [K in keyof Incident]: Incident[K] };

/** What is needed to choose one. */
export interface IncidentChoice {
  readonly instance: { readonly ip: string; readonly port: number; readonly cluster?: string };
  readonly facts: readonly Fact[];
  readonly at?: number | undefined;
  readonly since?: number | undefined;
}

/** Facts of an instance. */
export function factsOf({ facts, instance: { ip, port, cluster } }: Omit<IncidentChoice, 'at'>): InstanceFact[] {
  return facts
    .filter(isInstanceFact)
    .filter((fact) => fact.ip === ip && fact.port === port && (cluster === undefined || fact.cluster === cluster));
}

/** The last incident that had begun at `at`, or the first since `since`; those that only were late beats count less. */
export function findIncident(choice: IncidentChoice): Incident | undefined {
  const { at = Number.POSITIVE_INFINITY, since } = choice;
  const incidents = incidentsOf(factsOf(choice));
  const meant = incidents.filter(({ from }) => from <= at && (since === undefined || from >= since));
  const real = meant.filter(({ down }) => down !== undefined);
  const current = meant.at(-1);
  if (since !== undefined) return real[0] ?? meant[0];
  return current?.back === undefined ? current : (real.at(-1) ?? current);
}

/** All incidents, oldest first. */
function incidentsOf(facts: readonly InstanceFact[]): readonly Incident[] {
  const incidents: Open[] = [];
  let open: Open | undefined;
  let connection: InstanceFact | undefined;
  let moved: LeaseMoved | undefined;
  for (const fact of facts) {
    if (isTakeOver(fact)) moved = fact;
    if (isEnd(fact, open)) {
      if (open !== undefined) {
        open.back = fact;
        open.recreated = open.removed !== undefined && fact.cause === 'full-beat';
      }
      open = undefined;
      continue;
    }
    const begins = isDown(fact) || isMissed(fact);
    // Whoever leaves, or is taken out, while only a beat is late: that silence is over, and something else begins.
    if (open !== undefined && open.down === undefined && isDown(fact) && lastSignOf(fact) === fact.at) {
      open.back = fact;
      open = undefined;
    }
    if (fact.type in CONNECTIONS) connection = fact;
    if (open === undefined && begins) {
      open = begun(fact, moved);
      // What closed the connection mostly comes before anybody misses a beat.
      if (connection !== undefined && connection.at >= open.from) takeInto(open, connection);
      incidents.push(open);
    }
    if (open !== undefined) takeInto(open, fact);
  }
  return incidents;
}

function begun(fact: InstanceFact, moved: LeaseMoved | undefined): Open {
  const sign = Math.min(fact.at, lastSignOf(fact));
  const move = moved !== undefined && beganWith(moved, sign, fact) ? moved : undefined;
  return {
    from: move === undefined ? sign : Math.min(move.lastBeatAt, move.at),
    move,
    laterMove: undefined,
    missedAt: undefined,
    down: undefined,
    removed: undefined,
    back: undefined,
    recreated: false,
    connection: undefined,
  };
}

function takeInto(open: Open, fact: InstanceFact): void {
  if (isMissed(fact)) open.missedAt ??= fact.at;
  open.connection = CONNECTIONS[fact.type] ?? open.connection;
  if (isTakeOver(fact) && open.down !== undefined && open.removed === undefined) open.laterMove ??= fact;
  if (isDown(fact)) open.down ??= fact;
  if (fact.type === 'instance-removed') open.removed ??= fact;
}

/** Only what lives by beats has a last sign of life before the change that ends it. */
function lastSignOf(fact: InstanceFact): number {
  if (fact.node !== undefined) return remoteSignOf(fact);
  const silent =
    isMissed(fact) ||
    fact.cause === 'beat-timeout' ||
    fact.cause === 'delete-timeout' ||
    fact.cause === 'confirmed-dead' ||
    fact.cause === 'connection-silent' ||
    (fact.cause === 'probe' && !fact.healthy);
  return silent ? fact.lastBeatAt : fact.at;
}

/** Of a change that another node made: beats came there, so the time-out that it waited for tells when the last one did. */
function remoteSignOf(fact: InstanceFact): number {
  const { cause, beatTimeoutMs, deleteTimeoutMs } = fact;
  const madeAt = madeAtOf(fact);
  if (cause === 'beat-timeout') return madeAt - beatTimeoutMs;
  return cause === 'delete-timeout' ? madeAt - deleteTimeoutMs : madeAt;
}

/** When a change was made, at whichever node. */
export function madeAtOf({ at, ageMs = 0 }: InstanceFact): number {
  return at - ageMs;
}

function isTakeOver(fact: InstanceFact): fact is LeaseMoved {
  return fact.move !== undefined && fact.move.why !== 'elsewhere';
}

/** Whether the lease that ran out began with a move. What another node does with it is known here a little later. */
function beganWith({ at, move }: LeaseMoved, sign: number, fact: InstanceFact): boolean {
  if (fact.node === undefined) return sign === at;
  return fact.node === move.to && Math.abs(sign - at) <= REPLICATED_MS;
}

/** Time in which a change of another node is known here, when nothing is wrong between the two. */
const REPLICATED_MS = 1000;

/** The first sign that something is wrong: a beat that did not come, or a probe that failed. */
function isMissed({ type }: InstanceFact): boolean {
  return type === 'beat-missed' || type === 'probe-failed';
}

function isDown(fact: InstanceFact): boolean {
  if (fact.type === 'instance-unhealthy' || fact.type === 'instance-removed') return true;
  return fact.type === 'instance-edited' && (!fact.enabled || fact.weight === 0);
}

function isEnd(fact: InstanceFact, open: Open | undefined): boolean {
  if (fact.type === 'instance-healthy' || fact.type === 'instance-registered') return true;
  if (fact.type === 'beats-resumed' || fact.type === 'probe-passed') return open?.down === undefined;
  return fact.type === 'instance-edited' && open?.down?.type === 'instance-edited' && fact.enabled && fact.weight > 0;
}
