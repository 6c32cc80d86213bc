// Changes of the own set on their way to the others (R17): the first after a quiet moment goes at once, then at most one
// delta per flush and member, one in flight. Who does not acknowledge is tried again more and more rarely.

import { after, type Instant } from '@rollcall/runtime/time';
import { type ClusterState, sameSet } from './cluster-state.js';
import { firstDelta } from './delta-cutting.js';
import type { Member } from './member.js';
import type { AckMessage, NodeId, PingMessage, SetId } from './peer-message.js';

/** Waits for an acknowledgement, ms, by the number of deltas in a row that had none. */
const BACK_OFF_MS = [1000, 2000, 4000, 5000];

/** What is under way to one member. */
class Flow {
  /** The set that the other fields are about. */
  readonly set: SetId;
  /** Highest rev of the own set that the member is known to have; -1 when none. */
  acknowledged = -1;
  inFlight: { readonly to: number; readonly sentAt: Instant } | undefined;
  lastSentAt = Number.NEGATIVE_INFINITY as Instant;
  /** The last delta did not hold all that there was: the next one need not wait. */
  hasMore = false;
  failures = 0;

  constructor(set: SetId) {
    this.set = set;
  }
}

/** The flows. */
export class DeltaFlow {
  readonly #cluster: ClusterState;
  readonly #flows = new Map<NodeId, Flow>();

  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
  }

  /** A member has the own set up to a rev. */
  acknowledged(node: NodeId, { set, rev }: AckMessage): void {
    if (sameSet(set, this.#cluster.sets.own.id)) this.#reached(this.#flowOf(node), rev);
  }

  /** A member told in a ping what it has. One that has nothing gets everything, when the change log still holds it. */
  compare(node: NodeId, { sets }: PingMessage): void {
    const { now, settings } = this.#cluster;
    const flow = this.#flowOf(node);
    const digest = sets.find((set) => sameSet(set, this.#cluster.sets.own.id));
    if (digest !== undefined) this.#reached(flow, digest.rev);
    else if (flow.inFlight === undefined) flow.acknowledged = -1;
    // It is there, and the delta is not: there is no reason to be patient.
    if (flow.inFlight === undefined || now.mono - flow.inFlight.sentAt < settings.answerMs) return;
    this.retry(node);
  }

  /** What was on its way to a member is lost. */
  retry(node: NodeId): void {
    const flow = this.#flowOf(node);
    flow.inFlight = undefined;
    flow.failures = 0;
  }

  /** Changes that a member is not known to have. */
  lagOf(node: NodeId): number {
    const { own } = this.#cluster.sets;
    return own.rev - Math.max(0, this.#flowOf(node).acknowledged);
  }

  /** Forgets who is no member any more. */
  forget(node: NodeId): void {
    this.#flows.delete(node);
  }

  /** Sends what may go now. @returns when there is more to do */
  flush(): Instant | undefined {
    let next: Instant | undefined;
    for (const member of this.#cluster.members.all()) {
      if (!member.isReachable) continue;
      const at = this.#flushTo(member);
      if (at !== undefined && (next === undefined || at < next)) next = at;
    }
    return next;
  }

  #flushTo({ node }: Member): Instant | undefined {
    const { now, settings, sets } = this.#cluster;
    const flow = this.#flowOf(node);
    if (flow.acknowledged >= sets.own.rev) return undefined;
    const at = this.#dueAt(flow);
    if (at > now.mono) return at;
    if (flow.inFlight !== undefined) flow.failures += 1;
    const delta = firstDelta(sets.own, flow.acknowledged, settings);
    // What the log no longer holds is asked for by the member itself.
    if (delta === undefined) {
      flow.inFlight = undefined;
      return undefined;
    }
    this.#cluster.send(node, delta);
    flow.inFlight = { to: delta.to, sentAt: now.mono };
    flow.lastSentAt = now.mono;
    flow.hasMore = delta.to < sets.own.rev;
    return this.#dueAt(flow);
  }

  #dueAt({ inFlight, lastSentAt, hasMore, failures }: Flow): Instant {
    if (inFlight !== undefined)
      return after(inFlight.sentAt, BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)] as number);
    return hasMore ? lastSentAt : after(lastSentAt, this.#cluster.settings.flushMs);
  }

  #reached(flow: Flow, rev: number): void {
    if (rev > flow.acknowledged) {
      flow.acknowledged = rev;
      flow.failures = 0;
    }
    if (flow.inFlight !== undefined && rev >= flow.inFlight.to) flow.inFlight = undefined;
  }

  #flowOf(node: NodeId): Flow {
    const known = this.#flows.get(node);
    if (known !== undefined && sameSet(known.set, this.#cluster.sets.own.id)) return known;
    const flow = new Flow(this.#cluster.sets.own.id);
    this.#flows.set(node, flow);
    return flow;
  }
}
