// Copies of sets: takes deltas (R2), finds out from pings what is missing (R15), and asks for it, one question per set at a
// time (R16).

import { after, type Instant } from '@rollcall/runtime/time';
import type { Change } from './change-log.js';
import { type ClusterState, sameSet } from './cluster-state.js';
import { type Dropped, forgottenEnd, type SettleDropped } from './dropped-record.js';
import type { LastResorts } from './last-resorts.js';
import type { Member } from './member.js';
import type { DeltaMessage, NodeId, PingMessage, SetDigest, SetId, WireChange } from './peer-message.js';
import { type RecordKey, recordKeyOf } from './record-key.js';
import { setIdText } from './record-set.js';
import type { ReplicatedRecord } from './replicated-record.js';
import type { HeldSet } from './set-table.js';
import type { Sweeps } from './sweeps.js';
import type { Vouching } from './vouching.js';
import { replicatedRecordOf } from './wire-record.js';

/** Keys that are settled at once; more are settled in portions. */
const AT_ONCE_MAX = 1000;

/** A question that is not answered. */
interface Question {
  readonly peer: NodeId;
  readonly until: Instant;
}

/** All that a set held at a rev, and for how long its sender keeps it, as in a digest. */
interface WholeCopy {
  readonly id: SetId;
  readonly entries: readonly { readonly key: RecordKey; readonly record: ReplicatedRecord }[];
  readonly rev: number;
  readonly graceMs: number | undefined;
}

/** Offers a delta that does not fit to the copies under construction. @returns whether one took it */
type OfferToDraft = (from: NodeId, delta: DeltaMessage, changes: () => readonly Change[]) => boolean;

/** Copies and what they lack. */
export class SetIntake {
  readonly #cluster: ClusterState;
  readonly #vouching: Vouching;
  readonly #sweeps: Sweeps;
  readonly #settle: SettleDropped;
  readonly #lastResorts: LastResorts;
  readonly #offerToDraft: OfferToDraft;
  /** Questions by set. */
  readonly #questions = new Map<string, Question>();
  /** Since when a set lags behind what its author, or somebody else, has. */
  readonly #lagging = new Map<string, Instant>();

  constructor(
    cluster: ClusterState,
    parts: {
      readonly vouching: Vouching;
      readonly sweeps: Sweeps;
      readonly settle: SettleDropped;
      readonly lastResorts: LastResorts;
      readonly offerToDraft: OfferToDraft;
    },
  ) {
    this.#cluster = cluster;
    this.#vouching = parts.vouching;
    this.#sweeps = parts.sweeps;
    this.#settle = parts.settle;
    this.#lastResorts = parts.lastResorts;
    this.#offerToDraft = parts.offerToDraft;
  }

  /** A delta came, from the author of the set or from somebody else. */
  take(from: Member, delta: DeltaMessage): void {
    const { sets, self } = this.#cluster;
    const { set: id, to } = delta;
    if (sameSet(id, sets.own.id) || this.#isStrange(id)) return;
    const isAuthor = id.node === from.node;
    const held = sets.get(id);
    if (held === undefined) this.#takeNew(from, delta);
    else if (to > held.set.rev) {
      if (delta.full || delta.from <= held.set.rev) this.#apply(held, delta);
      else if (!this.#offerToDraft(from.node, delta, () => delta.changes.map(changeOf)))
        this.ask(from.node, id, held.set.rev);
    } else if (delta.from === to) this.#answered(id);
    const rev = sets.get(id)?.set.rev;
    if (rev === undefined) return;
    if (to >= rev) this.#vouching.shorten(sets.get(id) as HeldSet, delta.graceMs);
    if (isAuthor && from.node !== self) this.#cluster.send(from.node, { type: 'ack', set: id, rev });
  }

  /** A set was copied bucket by bucket. */
  takeWhole(from: NodeId, { id, entries, rev, graceMs }: WholeCopy): void {
    const { sets } = this.#cluster;
    let held = sets.get(id);
    if (held === undefined) {
      if (rev < sets.highWaterOf(id)) return;
      held = this.#vouching.admit(this.#cluster.newSet(id), graceMs);
      if (held === undefined) return;
    }
    if (rev > held.set.rev || held.set.size === 0) {
      this.#vouching.renew(held, graceMs);
      this.#changed(held, held.set.replace(entries, rev));
    }
    this.#answered(id);
    if (id.node === from) this.#cluster.send(from, { type: 'ack', set: id, rev: held.set.rev });
  }

  /** Compares what a member holds with what is here. */
  compare(from: Member, { sets: digests }: PingMessage): void {
    for (const digest of digests) if (!sameSet(digest, this.#cluster.sets.own.id)) this.#compareOne(from, digest);
  }

  /** Asks for what a set has above a rev. */
  ask(peer: NodeId, id: SetId, rev: number): void {
    const { now, settings } = this.#cluster;
    const idText = setIdText(id);
    const open = this.#questions.get(idText);
    if (open !== undefined && open.until > now.mono) return;
    this.#questions.set(idText, { peer, until: after(now.mono, settings.answerMs) });
    this.#cluster.send(peer, { type: 'pull', set: { node: id.node, epoch: id.epoch, run: id.run }, rev });
  }

  /** A longer answer is on its way. */
  prolong(id: SetId, peer: NodeId): void {
    const { now, settings } = this.#cluster;
    this.#questions.set(setIdText(id), { peer, until: after(now.mono, settings.answerMs) });
  }

  #compareOne(from: Member, digest: SetDigest): void {
    const { sets, settings } = this.#cluster;
    const id = digest;
    if (this.#isStrange(id)) return;
    const held = sets.get(id);
    const isAuthor = id.node === from.node;
    if (held === undefined) {
      const mark = sets.highWaterOf(id);
      if (digest.rev > mark || (digest.rev === mark && isAuthor && from.isRun(id.epoch, id.run)))
        this.ask(from.node, id, -1);
      return;
    }
    // Who has an older copy may have missed the author earlier.
    if (digest.rev >= held.set.rev) this.#vouching.shorten(held, digest.graceMs);
    if (digest.rev === held.set.rev) {
      this.#lagging.delete(held.set.idText);
      if (digest.hash !== held.set.hash && isAuthor) this.#mismatch(from, held, digest);
    } else if (digest.rev > held.set.rev && this.#hasWaited(held, isAuthor ? settings.answerMs : 2 * settings.answerMs))
      this.ask(from.node, id, held.set.rev);
  }

  /** Whether it is time to ask: an author that is there sends by itself, and is given `patienceMs` for that. */
  #hasWaited({ set, vouched }: HeldSet, patienceMs: number): boolean {
    const { now, members, settings } = this.#cluster;
    const author = members.get(set.id.node);
    if (!vouched || author?.reach !== 'UP') return true;
    const since = this.#lagging.get(set.idText);
    if (since === undefined) {
      this.#lagging.set(set.idText, now.mono);
      return false;
    }
    return now.mono - since >= patienceMs - settings.flushMs;
  }

  #mismatch(from: Member, held: HeldSet, digest: SetDigest): void {
    const { node, epoch } = held.set.id;
    const found = `this node has hash ${held.set.hash}, the author ${digest.hash}`;
    this.#cluster.alarm('digest-mismatch', `Copy of set ${node}/${epoch} at rev ${digest.rev} is wrong: ${found}`);
    this.#vouching.drop(held, 'wrong');
    this.ask(from.node, held.set.id, -1);
  }

  #takeNew(from: Member, delta: DeltaMessage): void {
    const { sets } = this.#cluster;
    const { set: id, to, full, graceMs } = delta;
    const mark = sets.highWaterOf(id);
    const isCurrent = id.node === from.node && from.isRun(id.epoch, id.run);
    if (!full) {
      if (!this.#offerToDraft(from.node, delta, () => delta.changes.map(changeOf))) this.ask(from.node, id, -1);
      return;
    }
    if (to < mark || (to === mark && !isCurrent)) return;
    const held = this.#vouching.admit(this.#cluster.newSet(id), graceMs);
    if (held !== undefined) this.#apply(held, delta);
  }

  #apply(held: HeldSet, { changes: wire, to, full, set: id, graceMs }: DeltaMessage): void {
    const changes = wire.map(changeOf);
    this.#vouching.renew(held, graceMs);
    this.#lastResorts.keep(held, changes);
    if (full) {
      const replaced = held.set.replace(changes.filter(hasRecord), to);
      this.#changed(held, [...replaced, ...changes.filter(({ key }) => held.lastResorts.has(key.text))]);
    } else {
      const known = changes.map((change) => withKnown(held, change));
      held.set.apply(changes, to);
      this.#changed(held, known);
    }
    this.#answered(id);
  }

  #answered(id: SetId): void {
    const idText = setIdText(id);
    this.#questions.delete(idText);
    this.#lagging.delete(idText);
  }

  #changed(held: HeldSet, changes: readonly Change[]): void {
    if (changes.length > AT_ONCE_MAX)
      this.#sweeps.addKeys(changes.map((change) => ({ key: change.key, dropped: forgottenIn(change) })));
    else for (const change of changes) this.#settleAged(change);
    this.#lastResorts.release();
    if (held.catchUp !== undefined) this.#vouching.review();
  }

  #settleAged(change: Change): void {
    const { registry } = this.#cluster;
    registry.originAgeMs = change.ageMs;
    this.#settle(change.key, forgottenIn(change));
    registry.originAgeMs = undefined;
  }

  /** A set of this very run under another number, or of nobody. */
  #isStrange({ node, run }: SetId): boolean {
    return node === this.#cluster.self && run === this.#cluster.run;
  }
}

function changeOf({ key, record, successor, ageMs }: WireChange): Change {
  const told = record === undefined ? undefined : replicatedRecordOf(record);
  const isGone = successor !== undefined;
  const dropped = isGone ? told : undefined;
  return { key: recordKeyOf(key), record: isGone ? undefined : told, successor, dropped, ageMs };
}

/** A change with what its copy says of the key until now, when that goes without successor. */
function withKnown({ set }: HeldSet, change: Change): Change {
  if (change.record !== undefined || change.successor !== undefined) return change;
  return { ...change, dropped: set.get(change.key.text) };
}

/** A removal, or the end of a lease, that its author does not remember any more: here it may hide something yet. */
function forgottenIn({ record, successor, dropped }: Change): Dropped | undefined {
  return record === undefined && successor === undefined ? forgottenEnd(dropped) : undefined;
}

function hasRecord(change: Change): change is Change & { record: object } {
  return change.record !== undefined;
}
