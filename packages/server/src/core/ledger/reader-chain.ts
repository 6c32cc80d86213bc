// How one subscriber came to know of one change: pushed, pushed again, polled, or not yet.

import type { Cause } from './cause.js';
import { switchedOff } from './cause-of-silence.js';
import {
  type Fact,
  type InstanceFact,
  isSubscriberFact,
  type LeaseStep,
  type ServerFact,
  type SubscriberFact,
} from './fact.js';

/** A part of an account. Times as `Fact.at`. */
export interface Stage {
  readonly name:
    | 'lease-moved'
    | 'silence'
    | 'timeout'
    | 'replication'
    | 'listed-unhealthy'
    | 'push-wait'
    | 'push-lost'
    | 'acknowledge'
    | 'until-poll'
    | 'not-told';
  readonly from: number;
  readonly to: number;
  /** `to` minus `from`, never negative. */
  readonly ms: number;
  readonly cause: Cause;
  /** Of `lease-moved`: which node held the lease until then, which one took it over, and why. */
  readonly move?: LeaseStep;
}

/** Stages without gap from the last sign of life to the moment at which somebody knew. */
export interface Chain {
  readonly stages: readonly Stage[];
  readonly to: number;
  readonly totalMs: number;
  /** `open`: not told yet. `gone`: it ended its subscription, or was forgotten, before it was told. */
  readonly end: 'told' | 'open' | 'gone';
  /** How it was told. */
  readonly by: 'push' | 'poll' | null;
}

/** Somebody who reads lists. */
export interface Reader {
  readonly name: string;
  readonly ip: string;
  readonly transport: SubscriberFact['transport'];
  readonly clusters: string;
}

/** What a chain is made from. */
interface ChainQuestion {
  readonly facts: readonly Fact[];
  readonly server: readonly ServerFact[];
  readonly subscribers?: readonly Reader[];
  readonly now: number;
}

/** Everybody who had the list before a change, or was told of it: subscribers now and then, and clients that only poll. */
export function readersOf({ facts, subscribers = [] }: ChainQuestion, change: InstanceFact): readonly Reader[] {
  const readers = new Map<string, Reader>(subscribers.map((reader) => [reader.name, reader]));
  const left = new Set<string>();
  for (const fact of facts) {
    if (!isSubscriberFact(fact)) continue;
    const { subscriber: name, ip, transport, clusters } = fact;
    if (fact.at <= change.at && LEAVES.has(fact.type)) left.add(name);
    else left.delete(name);
    if (fact.at > change.at && fact.type === 'subscribed' && !readers.has(name)) continue;
    readers.set(name, { name, ip, transport: fact.type === 'subscriber-refused' ? 'poll' : transport, clusters });
  }
  // Whoever was refused polls under its address: that is one reader, not two.
  const refused = new Set([...readers.values()].filter(isRefused).map(({ ip }) => ip));
  return [...readers.values()].filter(
    (reader) =>
      !left.has(reader.name) &&
      (reader.clusters === '' || reader.clusters.split(',').includes(change.cluster)) &&
      (isRefused(reader) || reader.transport !== 'poll' || !refused.has(reader.ip)),
  );
}

function isRefused({ name, ip, transport }: Reader): boolean {
  return transport === 'poll' && name !== ip;
}

const LEAVES: ReadonlySet<SubscriberFact['type']> = new Set(['unsubscribed', 'subscriber-expired']);

/** The chain of one reader for one change, behind the stages that lead to the change. */
export function chainOf(
  question: ChainQuestion,
  reader: Reader,
  before: {
    readonly stages: readonly Stage[];
    readonly from: number;
    readonly change: InstanceFact;
    /** When the change was undone: nobody waits any longer. */
    readonly until: number | undefined;
  },
): Chain {
  const { change, from, until = question.now } = before;
  const stages = new Stages(before.stages, change.at);
  const own = question.facts.filter((fact) => isSubscriberFact(fact) && isOf(fact, reader)) as SubscriberFact[];
  const later = own.filter(({ at, version }) => at >= change.at && version >= change.version);
  let sent = false;
  for (const fact of own.filter(({ at }) => at >= change.at)) {
    if (LEAVES.has(fact.type)) {
      stages.add('not-told', fact.at, 'subscriber-gone');
      return stages.chain(from, 'gone', null);
    }
    if (!later.includes(fact)) continue;
    switch (fact.type) {
      case 'push-sent':
        stages.add('push-wait', fact.at, waitCause(question, reader, change, fact.at));
        sent = true;
        break;
      case 'push-resent':
        stages.add(sent ? 'push-lost' : 'push-wait', fact.at, sent ? 'push-lost' : 'push-queued');
        sent = true;
        break;
      case 'push-failed':
      case 'push-refused':
      case 'push-given-up':
        stages.add('push-lost', fact.at, failureCause(fact));
        break;
      case 'push-acknowledged':
        stages.add('acknowledge', fact.at, 'none');
        return stages.chain(from, 'told', 'push');
      case 'list-polled':
        stages.add('until-poll', fact.at, pollCause(question, own, sent, change, fact.at));
        return stages.chain(from, 'told', 'poll');
    }
  }
  stages.add('not-told', until, sent ? failureOf(own) : pollCause(question, own, sent, change, until));
  return stages.chain(from, 'open', null);
}

/** Boundaries in order: each stage begins where the last one ended, and none is negative. */
class Stages {
  readonly #stages: Stage[];
  #to: number;

  constructor(before: readonly Stage[], to: number) {
    this.#stages = [...before];
    this.#to = to;
  }

  add(name: Stage['name'], at: number, cause: Cause): void {
    const from = this.#to;
    const to = Math.max(from, at);
    this.#to = to;
    this.#stages.push({ name, from, to, ms: to - from, cause });
  }

  chain(from: number, end: Chain['end'], by: Chain['by']): Chain {
    return { stages: this.#stages, to: this.#to, totalMs: this.#to - from, end, by };
  }
}

/** A subscriber that was refused polls under its own address. */
function isOf(fact: SubscriberFact, { name, ip, transport }: Reader): boolean {
  return fact.subscriber === name || (transport === 'poll' && fact.ip === ip && fact.transport === 'poll');
}

function waitCause({ facts, server }: ChainQuestion, reader: Reader, change: InstanceFact, sentAt: number): Cause {
  if (sentAt - change.at < NOTICEABLE_MS) return 'none';
  if (switchedOff({ server }, 'pushEnabled', change.at, sentAt)) return 'switch-off';
  const between = facts.filter(({ at }) => at >= change.at && at <= sentAt);
  const queued = between.some((fact) => isSubscriberFact(fact) && fact.type === 'push-queued' && isOf(fact, reader));
  if (queued) return 'push-queued';
  return between.some(({ type }) => type === 'pushes-merged') ? 'push-merged' : 'none';
}

/** Waits below this have no cause worth a word. */
const NOTICEABLE_MS = 5;

function failureCause({ type, reason }: SubscriberFact): Cause {
  if (type === 'push-failed' && reason === 'too-large') return 'push-refused-size';
  return 'push-not-acknowledged';
}

function failureOf(own: readonly SubscriberFact[]): Cause {
  const failed = own.findLast(({ type }) => type === 'push-failed');
  return failed === undefined ? 'push-not-acknowledged' : failureCause(failed);
}

/** Why it learned by asking. */
function pollCause(
  { server }: ChainQuestion,
  own: readonly SubscriberFact[],
  sent: boolean,
  change: InstanceFact,
  to: number,
): Cause {
  if (sent) return failureOf(own);
  if (switchedOff({ server }, 'pushEnabled', change.at, to)) return 'switch-off';
  if (own.some(({ type, at }) => type === 'push-queued' && at >= change.at && at <= to)) return 'push-queued';
  const refused = own.findLast(({ type, at }) => type === 'subscriber-refused' && at <= to);
  if (refused === undefined || refused.reason === 'agent-not-supported') return 'poll-only';
  return 'push-refused-address';
}
