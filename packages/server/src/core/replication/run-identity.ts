// Runs of nodes: which run a member is in, and that this node's own epoch is greater than all that anybody knows of it (R15;
// SWIM refutes suspicion in the same way). Two processes with one address are told apart from a node that was restarted.

import { after } from '@rollcall/runtime/time';
import type { ClusterState } from './cluster-state.js';
import type { Member } from './member.js';
import type { NodeId, PeerMessage, PingMessage } from './peer-message.js';

/** Past runs of a member that are remembered. */
const PAST_RUNS_MAX = 8;
/** Another run that is alive was heard this long ago at most. */
const ALIVE_MS = 2000;
/**
 * Over such a time, by its own clock, must a member have heard the other run: the run before a restart is not heard again,
 * and a report of it may come late.
 */
const EVIDENCE_MS = 4000;
/** A process that finds another one with its address stops when it has run for less than this. */
const LATER_MS = 30_000;

/**
 * By how much others may know a later run than is known here. Each start adds one, so more is made up: following it would
 * cut a node off whose own number is the true one.
 */
const EPOCH_LEAP_MAX = 1_000_000;

/** Keeps runs apart. */
export class RunIdentity {
  readonly #cluster: ClusterState;
  /** When each member heard another run first that is alive under the own address, by the clock of its own run. */
  readonly #evidence = new Map<NodeId, { readonly run: string; readonly by: string; readonly heardAt: number }>();
  #alarmed = false;

  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
  }

  /** Whether a message is of the member's present run; notes a run that is new. */
  accept(member: Member, message: PeerMessage): boolean {
    if (message.type === 'delta' && message.set.node === member.node) {
      this.#announce(member, message.set);
      return true;
    }
    if (message.type !== 'ping' && message.type !== 'leaving') return true;
    if (this.#announce(member, message)) return true;
    if (member.pastRuns.includes(message.run))
      member.rival = { run: message.run, epoch: message.epoch, heardAt: this.#cluster.now.mono };
    return false;
  }

  /** Others know a later run of a member than it has announced here. */
  noteOthers({ sets, members: reports }: PingMessage): void {
    for (const { node, epoch, run } of [...sets, ...reports]) {
      const member = this.#cluster.members.get(node);
      if (member === undefined || epoch <= member.epoch || member.pastRuns.includes(run) || run === '') continue;
      if (this.#isLeap(node, epoch, member.epoch)) continue;
      this.#begin(member, epoch, run);
      member.announced = false;
    }
  }

  /** Raises the own epoch above what others know of this node. @returns whether it did */
  refute({ sets, members: reports }: PingMessage): boolean {
    const { self, run, sets: table } = this.#cluster;
    const { epoch: own } = table.own.id;
    let highest = 0;
    for (const known of [...sets, ...reports])
      if (known.node === self && known.run !== run && !this.#isLeap(self, known.epoch, own))
        highest = Math.max(highest, known.epoch);
    if (highest < own) return false;
    this.#cluster.own.moveTo(highest + 1);
    this.#cluster.registry.emit({ type: 'persist-epoch', epoch: highest + 1 });
    return true;
  }

  /** Looks for another process that is alive under this address. @param runningMs - time since this one started */
  watch({ members: reports, run: by, sentAt }: PingMessage, from: NodeId, runningMs: number): void {
    const { self, run } = this.#cluster;
    const other = reports.find(
      (report) =>
        report.node === self &&
        report.run !== run &&
        report.run !== '' &&
        report.silentMs >= 0 &&
        report.silentMs < ALIVE_MS,
    );
    if (other === undefined) {
      this.#evidence.delete(from);
      return;
    }
    const known = this.#evidence.get(from);
    const heardAt = sentAt - other.silentMs;
    if (known?.run !== other.run || known.by !== by) this.#evidence.set(from, { run: other.run, by, heardAt });
    else if (heardAt - known.heardAt >= EVIDENCE_MS) this.#alarm(from, other.run, runningMs);
  }

  #isLeap(node: NodeId, told: number, known: number): boolean {
    if (told - known <= EPOCH_LEAP_MAX) return false;
    const found = `found ${told}, known is ${known}, allowed are ${EPOCH_LEAP_MAX} more`;
    this.#cluster.alarm('epoch-leap', `A run number of ${node} that others tell is not believed: ${found}`);
    return true;
  }

  #alarm(from: NodeId, other: string, runningMs: number): void {
    if (this.#alarmed) return;
    this.#alarmed = true;
    const { self, run } = this.#cluster;
    const found = `${from} hears run "${other}" under it, this one is "${run}"`;
    const text = `Two processes use the address ${self}: ${found}. Only one may`;
    this.#cluster.alarm('two-runs', text, { stop: runningMs < LATER_MS });
  }

  /** A member says which run it is in. @returns false when that one is over */
  #announce(member: Member, { epoch, run }: { readonly epoch: number; readonly run: string }): boolean {
    if (epoch < member.epoch || this.#isOver(member, epoch, run)) return false;
    if (run === member.run) member.epoch = epoch;
    else this.#begin(member, epoch, run);
    member.announced = true;
    return true;
  }

  /** A run that was taken for over is not when it has raised its number, or when nothing comes from the other one. */
  #isOver(member: Member, epoch: number, run: string): boolean {
    if (!member.pastRuns.includes(run) || epoch > member.epoch) return false;
    const silentMs = member.silentMs(this.#cluster.now.mono);
    return silentMs >= 0 && silentMs < ALIVE_MS;
  }

  #begin(member: Member, epoch: number, run: string): void {
    const { pastRuns } = member;
    if (pastRuns.includes(run)) pastRuns.splice(pastRuns.indexOf(run), 1);
    if (member.run !== '') {
      if (member.heardAt !== undefined)
        member.rival = { run: member.run, epoch: member.epoch, heardAt: after(member.heardAt, -member.pausedMs) };
      member.pastRuns.push(member.run);
      if (member.pastRuns.length > PAST_RUNS_MAX) member.pastRuns.shift();
    }
    member.epoch = epoch;
    member.run = run;
    member.leftRun = undefined;
    member.vector = new Map();
  }
}
