// Durations of replication (docs/replication-rules.md); required are setRetention >= delete timeout + 15 s and
// removalKept >= setRetention + delete timeout + 15 s.

/** Durations in ms, and counts. */
export interface ReplicationSettings {
  /** Time between two pings to a member. Default 1000. */
  readonly pingMs: number;
  /** Least time between two deltas, or two relays, to a member. Default 300. */
  readonly flushMs: number;
  /** A member is SUSPICIOUS after this silence. Default 3000. */
  readonly suspiciousMs: number;
  /** A member is DOWN after this silence. Default 7000. */
  readonly downMs: number;
  /** An answer that takes longer does not count on the node that owes it. Default 1000. */
  readonly answerMs: number;
  /** How long records of a node that is gone are kept. Default 45000. */
  readonly setRetentionMs: number;
  /** How long a removal, and the end of a lease, are remembered. Default 90000. */
  readonly removalKeptMs: number;
  /** A member that was DOWN is given services to own again after this time. Default 10000. */
  readonly holdDownMs: number;
  /** Longest wait for a first answer at the start. Default 10000. */
  readonly startMs: number;
  /** Longest time for which the leases of a node that came back wait for it to catch up. Default 3000. */
  readonly catchUpMs: number;
  /** Changes of a set that are kept for those who missed them. Default 10000. */
  readonly logChanges: number;
  /** Records of one message. Default 1000. */
  readonly chunkRecords: number;
  /** Estimated characters of one message. Default 200000, so that its JSON stays under 256 KiB. */
  readonly chunkCharacters: number;
  /** Removals and ended leases of this node that are remembered at most; beyond it the oldest go. Default 200000. */
  readonly removalsMax: number;
}

/** Settings of a cluster that is not configured otherwise. */
export const DEFAULT_REPLICATION_SETTINGS: ReplicationSettings = {
  pingMs: 1000,
  flushMs: 300,
  suspiciousMs: 3000,
  downMs: 7000,
  answerMs: 1000,
  setRetentionMs: 45_000,
  removalKeptMs: 90_000,
  holdDownMs: 10_000,
  startMs: 10_000,
  catchUpMs: 3000,
  logChanges: 10_000,
  chunkRecords: 1000,
  chunkCharacters: 200_000,
  removalsMax: 200_000,
};
