// Beats that come in here for leases held elsewhere: answered at once from the local view and noted for the holder, in one
// message per flush. A holder that does not acknowledge is not relied on: its leases are adopted by the next beats (R9).

import { after, type Instant } from '@rollcall/runtime/time';
import type { Registration, RemoteLease } from '../instance-record.js';
import type { ClusterState } from './cluster-state.js';
import type { NodeId, RelayAckMessage, SetId } from './peer-message.js';
import type { LeaseCandidate } from './record-choice.js';
import type { RecordKey } from './record-key.js';
import { setIdText } from './record-set.js';

/** Notes that may wait for one holder; when there are more, the beat adopts. */
const NOTES_MAX = 100_000;

/** A sign of life for a lease. */
type Note =
  /** Of a client that was told that it counts: when the note is lost, the lease is adopted. */
  | { readonly at: Instant; readonly adopts: RecordKey }
  /** Told without being asked for: when it is lost it is told again, until the lease could not go on with it. */
  | { readonly at: Instant; readonly uselessAt: Instant };

/** Notes that are on their way. */
interface Relay {
  readonly number: number;
  readonly sentAt: Instant;
  readonly beats: ReadonlyMap<number, Note>;
  readonly health: ReadonlyMap<number, boolean>;
}

/** Notes for one holder. */
class Notebook {
  readonly set: SetId;
  beats = new Map<number, Note>();
  health = new Map<number, boolean>();
  /** Signs of life that were told without being asked for: each once. */
  readonly handedOver = new Map<number, Instant>();
  /** The relay that is not acknowledged. */
  waiting: Relay | undefined;
  lastSentAt = Number.NEGATIVE_INFINITY as Instant;
  /** Since when it owes an acknowledgement; undefined while it is relied on. */
  distrustedAt: Instant | undefined;

  constructor(set: SetId) {
    this.set = set;
  }
}

/** Beats on their way to holders. */
export class GuestBeats {
  readonly #cluster: ClusterState;
  /** By holder; each for one run of it. */
  readonly #notebooks = new Map<NodeId, Notebook>();
  #number = 0;

  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
  }

  /** Notes a sign of life that came now. @returns false when its holder cannot be relied on */
  note(key: RecordKey, lease: RemoteLease): boolean {
    const { members, now } = this.#cluster;
    const member = members.get(lease.node);
    if (member === undefined || member.reach !== 'UP' || member.run !== lease.set.run) return false;
    const notebook = this.#notebookOf(lease);
    if (notebook.distrustedAt !== undefined || notebook.beats.size >= NOTES_MAX) return false;
    notebook.beats.set(lease.id, { at: now.mono, adopts: key });
    return true;
  }

  /** Whether a sign of life came here of which the holder has not said yet that it has it. */
  isPending({ node, set, id }: RemoteLease): boolean {
    const notebook = this.#notebooks.get(node);
    if (notebook === undefined || setIdText(notebook.set) !== setIdText(set)) return false;
    const note = notebook.beats.get(id) ?? notebook.waiting?.beats.get(id);
    return note !== undefined && ('adopts' in note || note.uselessAt > this.#cluster.now.mono);
  }

  /** Notes a health set by hand; the holder decides on it. */
  noteHealth(lease: RemoteLease, healthy: boolean): void {
    this.#notebookOf(lease).health.set(lease.id, healthy);
  }

  /** Tells another holder of the last sign of life that came here. */
  handOver({ lastBeat, leaseTimes }: Registration, { set, record }: LeaseCandidate): void {
    const lease = { node: set.id.node, set: set.id, id: record.id };
    const { beats, handedOver } = this.#notebookOf(lease);
    const isNoted = (beats.get(record.id)?.at ?? Number.NEGATIVE_INFINITY) >= lastBeat;
    if (handedOver.get(record.id) === lastBeat || isNoted || beats.size >= NOTES_MAX) return;
    if (handedOver.size >= NOTES_MAX) handedOver.clear();
    handedOver.set(record.id, lastBeat);
    beats.set(record.id, { at: lastBeat, uselessAt: after(lastBeat, leaseTimes.beatTimeoutMs) });
  }

  /** A holder has its relay. */
  acknowledged(node: NodeId, { number }: RelayAckMessage): void {
    const notebook = this.#notebooks.get(node);
    if (notebook === undefined) return;
    notebook.distrustedAt = undefined;
    if (notebook.waiting?.number === number) notebook.waiting = undefined;
  }

  /** A member was heard that hears this node, too: it is relied on again. */
  heardBack(node: NodeId): void {
    const notebook = this.#notebooks.get(node);
    const { now, settings } = this.#cluster;
    if (notebook?.distrustedAt !== undefined && notebook.distrustedAt + settings.answerMs <= now.mono)
      notebook.distrustedAt = undefined;
  }

  /** Sends what may go now. @returns when there is more to do */
  flush(): Instant | undefined {
    const { now, settings } = this.#cluster;
    let next: Instant | undefined;
    for (const [node, notebook] of this.#notebooks) {
      if (notebook.waiting !== undefined || notebook.beats.size + notebook.health.size === 0) continue;
      const at = after(notebook.lastSentAt, settings.flushMs);
      if (at <= now.mono) this.#send(node, notebook);
      else if (next === undefined || at < next) next = at;
    }
    return next;
  }

  /** Gives up relays that nobody acknowledges. @returns keys of leases whose beats came to nothing */
  giveUp(): RecordKey[] {
    const { now, settings } = this.#cluster;
    const lost: RecordKey[] = [];
    for (const notebook of this.#notebooks.values()) {
      const { waiting } = notebook;
      if (waiting === undefined || now.mono - waiting.sentAt < settings.answerMs) continue;
      notebook.waiting = undefined;
      notebook.distrustedAt = now.mono;
      const again = new Map<number, Note>();
      for (const [id, note] of [...waiting.beats, ...notebook.beats]) {
        if ('adopts' in note) lost.push(note.adopts);
        else if (note.uselessAt > now.mono) again.set(id, note);
      }
      notebook.beats = again;
      // What was set by hand is told until the holder has it; what was set later counts.
      notebook.health = new Map([...waiting.health, ...notebook.health]);
    }
    return lost;
  }

  #send(peer: NodeId, notebook: Notebook): void {
    const { now } = this.#cluster;
    const { beats, health, set } = notebook;
    this.#number += 1;
    const number = this.#number;
    this.#cluster.send(peer, {
      type: 'relay',
      number,
      set,
      beats: Array.from(beats, ([id, { at }]) => [id, Math.max(0, Math.round(now.mono - at))] as const),
      health: [...health],
    });
    notebook.waiting = { number, sentAt: now.mono, beats, health };
    notebook.lastSentAt = now.mono;
    notebook.beats = new Map();
    notebook.health = new Map();
  }

  #notebookOf({ node, set }: RemoteLease): Notebook {
    const known = this.#notebooks.get(node);
    if (known !== undefined && setIdText(known.set) === setIdText(set)) return known;
    const notebook = new Notebook(set);
    this.#notebooks.set(node, notebook);
    return notebook;
  }
}
