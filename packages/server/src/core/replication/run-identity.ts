// Runs of nodes: which run a member is in, and that this node's own epoch is greater than all that anybody knows of it (R15;
// SWIM refutes suspicion in the same way). Two processes with one address are told apart from a node that was restarted.

import type { ClusterState } from './cluster-state.js';
import type { Member } from './member.js';
import type { NodeId, PeerMessage, PingMessage } from './peer-message.js';

/** Past runs of a member that are remembered. */
const PAST_RUNS_MAX = 8;
/** A report that is younger than the own run by less than this may still be of the run before. */
const DOUBT_MS = 2000;
/** A process that finds another one with its address stops when it has run for less than this. */
const LATER_MS = 30_000;

/** Keeps runs apart. */
export class RunIdentity {
  readonly #cluster: ClusterState;
  #alarmed = false;

  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
  }

  /** Whether a message is of the member's present run; notes a run that is new. */
  accept(member: Member, message: PeerMessage): boolean {
    if (message.type !== 'ping' && message.type !== 'leaving') return true;
    const { epoch, run } = message;
    if (member.pastRuns.includes(run)) return false;
    if (run === member.run) {
      if (epoch < member.epoch) return false;
      member.epoch = epoch;
      member.announced = true;
      return true;
    }
    if (epoch < member.epoch) return false;
    this.#begin(member, epoch, run);
    member.announced = true;
    return true;
  }

  /** Others know a later run of a member than it has announced here. */
  noteOthers({ sets, members: reports }: PingMessage): void {
    for (const { node, epoch, run } of [...sets, ...reports]) {
      const member = this.#cluster.members.get(node);
      if (member === undefined || epoch <= member.epoch || member.pastRuns.includes(run) || run === '') continue;
      this.#begin(member, epoch, run);
      member.announced = false;
    }
  }

  /** Raises the own epoch above what others know of this node. @returns whether it did */
  refute({ sets, members: reports }: PingMessage): boolean {
    const { self, run, sets: table } = this.#cluster;
    let highest = 0;
    for (const known of [...sets, ...reports])
      if (known.node === self && known.run !== run) highest = Math.max(highest, known.epoch);
    if (highest < table.own.id.epoch) return false;
    this.#cluster.own.moveTo(highest + 1);
    this.#cluster.registry.emit({ type: 'persist-epoch', epoch: highest + 1 });
    return true;
  }

  /** Looks for another process that is alive under this address. @param runningMs - time since this one started */
  watch({ members: reports }: PingMessage, from: NodeId, runningMs: number): void {
    const { self, run } = this.#cluster;
    for (const { node, run: other, silentMs } of reports) {
      if (node !== self || other === '' || other === run || silentMs < 0) continue;
      if (silentMs + DOUBT_MS > runningMs || this.#alarmed) continue;
      this.#alarmed = true;
      const found = `${from} heard run "${other}" under it ${silentMs} ms ago, this one is "${run}"`;
      const text = `Two processes use the address ${self}: ${found}. Only one may`;
      this.#cluster.alarm('two-runs', text, { stop: runningMs < LATER_MS });
    }
  }

  #begin(member: Member, epoch: number, run: string): void {
    if (member.run !== '') {
      member.pastRuns.push(member.run);
      if (member.pastRuns.length > PAST_RUNS_MAX) member.pastRuns.shift();
    }
    member.epoch = epoch;
    member.run = run;
    member.leftRun = undefined;
    member.vector = new Map();
  }
}
