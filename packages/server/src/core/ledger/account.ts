// The account: where the time went between the last sign of life of an instance and the moment at which a subscriber knew.
// A pure function of facts. Stages follow each other without gap, in whole milliseconds, so their sum is the total exactly.

import { hostPortText } from '@rollcall/protocol';
import type { Cause } from './cause.js';
import { causeOfSilence, switchedOff } from './cause-of-silence.js';
import type { Fact, ServerFact } from './fact.js';
import { findIncident, type Incident, type LeaseMoved, madeAtOf } from './incident.js';
import { type Chain, chainOf, type Reader, readersOf, type Stage } from './reader-chain.js';

/** What the registry knows of the instance now; only for questions about the present. */
export interface PresentInstance {
  readonly healthy: boolean;
  readonly ephemeral: boolean;
  readonly publishers: readonly string[];
  /** Time since the last sign of life, ms. */
  readonly silentMs: number;
  readonly beatIntervalMs: number;
  readonly beatTimeoutMs: number;
  /** Whether its health is probed, for a persistent one. */
  readonly probed: boolean;
  /** Whether lists show it as healthy because of health protection. */
  readonly protecting: boolean;
  /** Node of the cluster that holds its lease; absent for this one. */
  readonly holder?: string;
}

/** What is asked, and everything that the answer is made from. */
export interface AccountQuestion {
  readonly instance: { readonly ip: string; readonly port: number; readonly cluster?: string };
  /** Facts of the service, oldest first. */
  readonly facts: readonly Fact[];
  /** Facts of the server, oldest first. */
  readonly server: readonly ServerFact[];
  /** Name or address of the subscriber that is meant; all when left out. */
  readonly subscriber?: string | undefined;
  /** The moment that is asked about, as `Fact.at`; the present when left out. */
  readonly at?: number | undefined;
  /** The first incident from this time on is meant, as `Fact.at`, instead of the last one. */
  readonly since?: number | undefined;
  /** The present, as `Fact.at`. */
  readonly now: number;
  readonly present?: PresentInstance | undefined;
  /** Subscribers of the service now. */
  readonly subscribers?: readonly Reader[];
  /** Other services in which the same address is registered: `namespace`, grouped name. */
  readonly elsewhere?: readonly string[];
  /** Signs of life that other nodes know of, as `Fact.at`. */
  readonly otherNodes?: readonly { readonly node: string; readonly lastBeatAt: number }[];
}

/** When one subscriber knew. */
export interface SubscriberAccount {
  readonly subscriber: string;
  readonly ip: string;
  readonly transport: Reader['transport'];
  /** Until it knew that the instance is not healthy any more, or gone. */
  readonly told: Chain;
  /** Until it knew that the instance is removed, when it had been listed as unhealthy before. */
  readonly removal: Chain | null;
}

/** The account of one incident, or of an instance without one. */
export interface Account {
  readonly instance: string;
  readonly state: 'healthy' | 'unhealthy' | 'removed' | 'unknown';
  /** Node of the cluster that decided the incident, or holds the lease when there is none: its own ledger has the beats. Null for this one. */
  readonly holder: string | null;
  readonly incident: {
    /** Last sign of life. */
    readonly from: number;
    readonly downAt: number;
    readonly removedAt: number | null;
    /** When it was well again. */
    readonly backAt: number | null;
    /** Up to the change of the list, common to all subscribers. */
    readonly stages: readonly Stage[];
    readonly totalMs: number;
    /** Of a leaver that waited for subscribers. */
    readonly awaited: {
      readonly waitedMs: number;
      readonly acknowledged: number;
      readonly pending: readonly string[];
    } | null;
  } | null;
  /** Who knew last comes first. */
  readonly subscribers: readonly SubscriberAccount[];
  /** Everything that counts, the heaviest first; `ms` is 0 for what has no duration. */
  readonly causes: readonly { readonly cause: Cause; readonly ms: number }[];
}

/** Makes the account. */
export function accountOf(question: AccountQuestion): Account {
  const incident = findIncident(question);
  const subscribers = incident === undefined ? [] : subscriberAccounts(question, incident);
  const causes = causesOf(question, incident, subscribers);
  const { ip, port } = question.instance;
  return {
    instance: hostPortText(ip, port),
    state: stateOf(question, incident),
    holder: (incident === undefined ? question.present?.holder : incident.down?.node) ?? null,
    incident: incident === undefined ? null : incidentAnswer(question, incident),
    subscribers,
    causes,
  };
}

function stateOf({ present, at }: AccountQuestion, incident: Incident | undefined): Account['state'] {
  if (present !== undefined && at === undefined) return present.healthy ? 'healthy' : 'unhealthy';
  if (incident === undefined) return 'unknown';
  const until = at ?? Number.POSITIVE_INFINITY;
  if (incident.back !== undefined && incident.back.at <= until) return 'healthy';
  if (incident.removed !== undefined && incident.removed.at <= until) return 'removed';
  return incident.down !== undefined && incident.down.at <= until ? 'unhealthy' : 'healthy';
}

function incidentAnswer(question: AccountQuestion, incident: Incident): NonNullable<Account['incident']> {
  const stages = commonStages(question, incident);
  const { from, down, removed, back } = incident;
  const end = down?.at ?? back?.at ?? question.now;
  return {
    from,
    downAt: end,
    removedAt: removed?.at ?? null,
    backAt: back?.at ?? null,
    stages,
    totalMs: end - from,
    awaited: awaitedOf(question.facts, incident),
  };
}

/** The take-over of the lease, silence until a beat was missed, the rest of the timeout, and the way from another node. */
function commonStages(question: AccountQuestion, incident: Incident): readonly Stage[] {
  const { missedAt, down, back, move } = incident;
  const end = down?.at ?? back?.at ?? question.now;
  const cause = causeOfSilence(question, incident);
  if (end === incident.from) return [];
  const moves = move === undefined ? [] : [movedStage(move, { from: incident.from, cause })];
  const from = moves[0]?.to ?? incident.from;
  const until = down === undefined ? end : Math.max(from, missedAt ?? from, madeAtOf(down));
  const ways = until < end ? [replicationStage(until, end)] : [];
  if (until === from) return [...moves, ...ways];
  const off = switchedOff(question, 'healthCheckEnabled', missedAt ?? from, until);
  if (missedAt === undefined || missedAt >= until)
    return [...moves, stage('silence', from, until, off ? 'switch-off' : cause), ...ways];
  return [
    ...moves,
    stage('silence', from, missedAt, cause),
    stage('timeout', missedAt, until, off ? 'switch-off' : cause),
    ...ways,
  ];
}

function stage(name: Stage['name'], from: number, to: number, cause: Cause): Stage {
  return { name, from, to, ms: to - from, cause };
}

/** A change that another node had made, until this one knew. */
function replicationStage(from: number, to: number): Stage {
  return stage('replication', from, to, 'replication');
}

/** From the last sign of life that the node which held the lease vouched for until another one held it. */
function movedStage({ at: to, move }: LeaseMoved, before: { readonly from: number; readonly cause: Cause }): Stage {
  const { from, cause } = before;
  return { ...stage('lease-moved', from, to, cause === 'partition' ? cause : 'take-over'), move };
}

function awaitedOf(facts: readonly Fact[], { down }: Incident): NonNullable<Account['incident']>['awaited'] {
  if (down?.cause !== 'deregistered') return null;
  for (const fact of facts) {
    if (fact.type !== 'subscribers-awaited' || fact.at < down.at || fact.version < down.version) continue;
    const { waitedMs, acknowledged, pending } = fact;
    return { waitedMs, acknowledged, pending };
  }
  return null;
}

function subscriberAccounts(question: AccountQuestion, incident: Incident): readonly SubscriberAccount[] {
  const { down, removed } = incident;
  if (down === undefined) return [];
  const stages = commonStages(question, incident);
  const wanted = question.subscriber;
  const accounts = readersOf(question, down)
    .filter(({ name, ip }) => wanted === undefined || name === wanted || ip === wanted)
    .map((reader): SubscriberAccount => {
      const told = chainOf(question, reader, { stages, from: incident.from, change: down, until: incident.back?.at });
      const later = removed !== undefined && removed !== down ? removed : undefined;
      return {
        subscriber: reader.name,
        ip: reader.ip,
        transport: reader.transport,
        told,
        removal: later === undefined ? null : removalChain(question, reader, incident, stages, later),
      };
    });
  return accounts.sort((a, b) => b.told.totalMs - a.told.totalMs);
}

function removalChain(
  question: AccountQuestion,
  reader: Reader,
  { from, back, down, laterMove }: Incident,
  stages: readonly Stage[],
  removed: NonNullable<Incident['removed']>,
): Chain {
  const downAt = down?.at ?? from;
  const madeAt = Math.max(downAt, laterMove?.at ?? downAt, madeAtOf(removed));
  const lostAt = Math.max(downAt, laterMove?.lastBeatAt ?? downAt);
  const whileDown =
    laterMove === undefined
      ? [stage('listed-unhealthy', downAt, madeAt, 'filter')]
      : [
          stage('listed-unhealthy', downAt, lostAt, 'filter'),
          movedStage(laterMove, { from: lostAt, cause: 'take-over' }),
          stage('listed-unhealthy', laterMove.at, madeAt, 'filter'),
        ];
  if (madeAt < removed.at) whileDown.push(replicationStage(madeAt, removed.at));
  return chainOf(question, reader, { stages: [...stages, ...whileDown], from, change: removed, until: back?.at });
}

function causesOf(
  question: AccountQuestion,
  incident: Incident | undefined,
  subscribers: readonly SubscriberAccount[],
): Account['causes'] {
  const weights = new Map<Cause, number>();
  const add = (cause: Cause, ms: number) => weights.set(cause, Math.max(ms, weights.get(cause) ?? 0));
  const chains = subscribers.map(({ told }) => told.stages);
  if (incident !== undefined) chains.push(commonStages(question, incident));
  for (const chain of chains) for (const [cause, ms] of sums(chain)) add(cause, ms);
  if (incident?.down !== undefined && weights.size === 0) add(causeOfSilence(question, incident), 0);
  for (const cause of afterTold(question, incident, subscribers)) add(cause, Number.POSITIVE_INFINITY);
  for (const cause of presentCauses(question, incident)) add(cause, 0);
  return [...weights].sort(([, a], [, b]) => b - a).map(([cause, ms]) => ({ cause, ms: Number.isFinite(ms) ? ms : 0 }));
}

/** Time by cause in one chain. */
function sums(stages: readonly Stage[]): ReadonlyMap<Cause, number> {
  const sum = new Map<Cause, number>();
  for (const { cause, ms } of stages) if (cause !== 'none') sum.set(cause, (sum.get(cause) ?? 0) + ms);
  return sum;
}

/** Causes that weigh more than any stage: at the moment that is asked about, the subscriber had long been told. */
function afterTold(
  { at, facts, now, present }: AccountQuestion,
  incident: Incident | undefined,
  subscribers: readonly SubscriberAccount[],
): readonly Cause[] {
  const causes: Cause[] = [];
  const moment = at ?? now;
  const { down, removed, back } = incident ?? {};
  if (down === undefined || (back !== undefined && back.at <= moment)) return causes;
  if (isProtecting(facts, moment) && (at !== undefined || present?.protecting !== false)) causes.push('protection');
  const all = subscribers.length > 0 && subscribers.every(({ told: { end } }) => end === 'told');
  if (at === undefined || !all) return causes;
  const toldAt = Math.max(...subscribers.map(({ told }) => told.to));
  if (at <= toldAt + TOLD_MS) return causes;
  const isListed = (removed === undefined || removed.at > at) && down.cause !== 'deregistered' && down.enabled;
  causes.push(isListed ? 'filter' : 'consumer-cache');
  return causes;
}

/** Time that an answer may be on its way before a call counts as made in spite of it. */
const TOLD_MS = 1000;

function isProtecting(facts: readonly Fact[], moment: number): boolean {
  const dialects = new Set<string>();
  for (const fact of facts) {
    if (fact.at > moment) break;
    if (fact.type === 'protection-on') dialects.add(fact.dialect);
    if (fact.type === 'protection-off') dialects.delete(fact.dialect);
  }
  return dialects.size > 0;
}

/**
 * What keeps an instance listed that is well in the eyes of the registry, and what else the caller may mean. One process in
 * many services is usual, so that comes last.
 */
function* presentCauses(question: AccountQuestion, incident: Incident | undefined): Generator<Cause> {
  const { present, elsewhere = [], at } = question;
  if (incident?.recreated) yield 're-created';
  if (at === undefined && present !== undefined) {
    if (present.healthy) yield* listedCauses(question, present);
    else if (present.protecting) yield 'protection';
  }
  if (elsewhere.length > 0) yield 'registered-elsewhere';
}

function* listedCauses(question: AccountQuestion, present: PresentInstance): Generator<Cause> {
  const { instance, facts } = question;
  if (present.publishers.length > 1) yield 'two-publishers';
  const others = facts.some(
    (fact) => fact.type === 'beats-from-elsewhere' && fact.ip === instance.ip && fact.port === instance.port,
  );
  if (others) yield 'beats-by-another';
  if (!present.ephemeral) {
    yield present.probed ? 'probe-interval' : 'persistent-without-probe';
    return;
  }
  if (!present.publishers.includes('http')) yield 'still-connected';
  else if (switchedOff(question, 'healthCheckEnabled', question.now, question.now)) yield 'switch-off';
  else if (present.silentMs > present.beatIntervalMs) yield 'not-yet-expired';
}
