// One other node of the cluster as this one sees it (R18).

import type { Instant } from '@rollcall/runtime/time';
import type { MemberReport, MemberState, NodeId, SetDigest } from './peer-message.js';

/** A member. Only {@link Members} and the parts of replication change it. */
export class Member {
  readonly node: NodeId;
  readonly addedAt: Instant;
  /** Whether it is heard; what it says of itself is `starting`. */
  reach: 'UP' | 'SUSPICIOUS' | 'DOWN' = 'SUSPICIOUS';
  /** It says that it has no full copy yet. */
  starting = true;
  heardAt: Instant | undefined;
  /** How long this process has stood still since, ms: counts for what is told of the member, not for what is made of it. */
  pausedMs = 0;
  /** Run that it announced last, else the highest that others know; 0 and empty when none. */
  epoch = 0;
  run = '';
  /** Whether it announced that run itself. */
  announced = false;
  /** Run that took its leave. */
  leftRun: string | undefined;
  /** Runs that are over: what comes late from them is ignored. */
  readonly pastRuns: string[] = [];
  /** A run that was over and is heard all the same: two processes use the address. */
  rival: { readonly run: string; readonly epoch: number; readonly heardAt: Instant } | undefined;
  /** When it was heard again after it had been DOWN, and the run that it had before. */
  returnedAt: Instant | undefined;
  downRun: string | undefined;
  /** Times in a row that it refused a connection. */
  refusals = 0;
  /** From when on services are mapped to it. */
  mappedFrom: Instant;
  /** What it holds, by its last ping. */
  vector: ReadonlyMap<string, SetDigest> = new Map();
  /** What it says of the others, by its last ping, and when that came. */
  reports: ReadonlyMap<NodeId, MemberReport> = new Map();
  reportedAt: Instant | undefined;

  constructor(node: NodeId, now: Instant) {
    this.node = node;
    this.addedAt = now;
    this.mappedFrom = now;
  }

  /** Whether a run is the one that it is in. */
  isRun(epoch: number, run: string): boolean {
    return this.epoch === epoch && this.run === run;
  }

  /** State as it is shown. */
  get state(): MemberState {
    return this.reach === 'UP' && this.starting ? 'STARTING' : this.reach;
  }

  /** Whether it may be asked and told things. */
  get isReachable(): boolean {
    return this.reach !== 'DOWN' && this.heardAt !== undefined;
  }

  /** Ms since it was heard last, -1 when it never was. */
  silentMs(now: Instant): number {
    return this.heardAt === undefined ? -1 : now - this.heardAt;
  }

  /** The same with pauses of this process: what was heard before one vouches for nobody after it. */
  realSilenceMs(now: Instant): number {
    return this.heardAt === undefined ? -1 : now - this.heardAt + this.pausedMs;
  }

  /** Ms since it was heard last according to its own last report of another node; undefined when it says nothing of it. */
  reportedSilence(node: NodeId, now: Instant): number | undefined {
    const report = this.reports.get(node);
    if (report === undefined || report.silentMs < 0 || this.reportedAt === undefined) return undefined;
    return report.silentMs + (now - this.reportedAt);
  }
}
