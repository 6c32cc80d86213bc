// The members and whether they are there (R18). Silence is measured on the own monotonic clock; before a member counts as
// DOWN the others are believed when they heard it a moment ago; who hears hardly anybody doubts himself first (SWIM with
// the local health of Lifeguard has both ideas).

import { after, type Instant } from '@rollcall/runtime/time';
import { Member } from './member.js';
import type { NodeId } from './peer-message.js';
import { mappedOwner } from './rendezvous.js';
import type { ReplicationSettings } from './replication-settings.js';

/** Connections refused in a row after which nobody is there. */
const REFUSALS_DOWN = 2;

/** A member changed its state. */
export interface MemberChange {
  readonly member: Member;
  readonly before: Member['reach'];
}

/** The other nodes. */
export class Members {
  readonly #self: NodeId;
  readonly #settings: ReplicationSettings;
  readonly #members = new Map<NodeId, Member>();
  #mapped: readonly NodeId[];

  constructor(self: NodeId, settings: ReplicationSettings) {
    this.#self = self;
    this.#settings = settings;
    this.#mapped = [self];
  }

  /** All other nodes, in the order of the list. */
  all(): Iterable<Member> {
    return this.#members.values();
  }

  /** Number of other nodes. */
  get size(): number {
    return this.#members.size;
  }

  /** A member; undefined for who is none. */
  get(node: NodeId): Member | undefined {
    return this.#members.get(node);
  }

  /** Takes a new list. @returns those that are no longer members */
  replace(nodes: readonly NodeId[], now: Instant): Member[] {
    const wanted = new Set(nodes);
    wanted.delete(this.#self);
    const gone = [...this.#members.values()].filter(({ node }) => !wanted.has(node));
    for (const { node } of gone) this.#members.delete(node);
    for (const node of [...wanted].sort()) if (!this.#members.has(node)) this.#members.set(node, new Member(node, now));
    return gone;
  }

  /** Something came from a member. */
  heard(member: Member, now: Instant): void {
    member.heardAt = now;
    member.pausedMs = 0;
    member.refusals = 0;
  }

  /** A pause of this process is no silence of the others (R22). */
  shift(ms: number): void {
    for (const member of this.#members.values()) {
      if (member.heardAt !== undefined) member.heardAt = after(member.heardAt, ms);
      member.pausedMs += ms;
      if (member.reportedAt !== undefined) member.reportedAt = after(member.reportedAt, ms);
    }
  }

  /** Finds out who is there. @returns those whose state is another now */
  judge(now: Instant): MemberChange[] {
    const patience = this.#patience(now);
    const changes: MemberChange[] = [];
    for (const member of this.#members.values()) {
      const before = member.reach;
      const reach = this.#reachOf(member, now, patience);
      if (reach === before) continue;
      member.reach = reach;
      if (reach === 'DOWN') member.downRun = member.run;
      else if (before === 'DOWN' && member.downRun !== '') {
        member.returnedAt = now;
        member.mappedFrom = after(now, this.#settings.holdDownMs);
      }
      changes.push({ member, before });
    }
    this.#map(now);
    return changes;
  }

  /** The node that owns a service: adopts its orphans and probes its persistent instances (R19). */
  ownerOf(serviceId: string): NodeId {
    return mappedOwner(this.#mapped, serviceId) as NodeId;
  }

  /** Nodes to which services are mapped. */
  get mapped(): readonly NodeId[] {
    return this.#mapped;
  }

  #map(now: Instant): void {
    const mapped = [this.#self];
    for (const { node, reach, mappedFrom } of this.#members.values())
      if (reach !== 'DOWN' && mappedFrom <= now) mapped.push(node);
    mapped.sort();
    this.#mapped = mapped;
  }

  #reachOf(member: Member, now: Instant, patience: number): Member['reach'] {
    const { suspiciousMs, downMs } = this.#settings;
    if (member.refusals >= REFUSALS_DOWN || (member.leftRun !== undefined && member.leftRun === member.run))
      return 'DOWN';
    const silent = now - (member.heardAt ?? member.addedAt);
    if (silent >= downMs * patience) return this.#isHeardByOthers(member, now) ? 'SUSPICIOUS' : 'DOWN';
    return silent >= suspiciousMs * patience || member.heardAt === undefined ? 'SUSPICIOUS' : 'UP';
  }

  #isHeardByOthers({ node }: Member, now: Instant): boolean {
    const { suspiciousMs } = this.#settings;
    for (const other of this.#members.values()) {
      if (other.node === node || other.silentMs(now) < 0 || other.silentMs(now) >= suspiciousMs) continue;
      const silence = other.reportedSilence(node, now);
      if (silence !== undefined && silence < suspiciousMs) return true;
    }
    return false;
  }

  /** Factor for silences: 2 while fewer than half of the others are heard, since then the fault is rather here. */
  #patience(now: Instant): number {
    let heard = 0;
    for (const member of this.#members.values()) {
      const silent = member.silentMs(now);
      if (silent >= 0 && silent < this.#settings.suspiciousMs) heard += 1;
    }
    return heard * 2 < this.#members.size ? 2 : 1;
  }
}
