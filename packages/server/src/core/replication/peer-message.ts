// What nodes of a cluster say to each other: plain JSON data, copied at the edge of the core. R-numbers, here
// and in the files beside it, are those of docs/replication-rules.md; ADR 0010 says why.

/** Address of a node for clients, `ip:port`, as in the member list. */
export type NodeId = string;

/** Greatest whole number in a message. Whoever counts above what others told stops here, else nobody would read it. */
export const COUNT_MAX = Number.MAX_SAFE_INTEGER;

/** Names a set: the records of one run of a node. */
export interface SetId {
  readonly node: NodeId;
  /** Number of the run, 1 or more; a later run of the node has a greater one. */
  readonly epoch: number;
  /** Random text of the process: tells two runs with the same number apart. */
  readonly run: string;
}

/** What a node holds of a set. */
export interface SetDigest extends SetId {
  /** Changes of the set so far, 0 or more. */
  readonly rev: number;
  /** Hash over all records at that rev, 8 hex digits. */
  readonly hash: string;
  /** Ms for which the sender keeps it still; absent while its author is there. */
  readonly graceMs?: number;
}

/** State of a member as one node sees it. `STARTING` is said by a node of itself only: it has no full copy yet. */
export type MemberState = 'STARTING' | 'UP' | 'SUSPICIOUS' | 'DOWN';

/** What one node knows of another. */
export interface MemberReport {
  readonly node: NodeId;
  readonly state: MemberState;
  /** Ms since the reporter heard it last, pauses of the reporter included; -1 when it never did. */
  readonly silentMs: number;
  /** Highest epoch known, with its run; 0 and empty when none. */
  readonly epoch: number;
  readonly run: string;
}

/** To every member each second (R15). */
export interface PingMessage {
  readonly type: 'ping';
  readonly epoch: number;
  readonly run: string;
  readonly state: 'STARTING' | 'UP';
  /** Monotonic clock of the sender, whole ms: how far apart its pings and what they tell are, however late they come. */
  readonly sentAt: number;
  /** All sets that the sender holds, its own first. */
  readonly sets: readonly SetDigest[];
  readonly members: readonly MemberReport[];
}

/** The sender stops in order: it is to be treated as DOWN at once. */
export interface LeavingMessage {
  readonly type: 'leaving';
  readonly epoch: number;
  readonly run: string;
}

/** Order of two writes that did not know of each other, and where a write came in. */
export interface WireVersion {
  /** Hybrid clock: wall ms, raised above every version known for the key. */
  readonly cv: number;
  /** Node, epoch of its run, and number of the write in that run. */
  readonly op: readonly [node: NodeId, epoch: number, sequence: number];
}

/** What a publisher said of its instance. */
export interface WireContent {
  readonly weight: number;
  readonly enabled: boolean;
  readonly healthy: boolean;
  readonly metadata: readonly (readonly [key: string, value: string])[];
  readonly app?: string;
  readonly instanceId?: string;
}

/** Value of an instance's record. */
export interface WireClaim {
  readonly registered: WireContent;
  /** What operators' removals left of it; absent when that is all of it. */
  readonly base?: WireContent;
  /** Numeric id that the first registration got. */
  readonly numericId?: string;
}

/** Value of an operator's edit of an ephemeral instance. */
export interface WireEdit {
  readonly weight?: number;
  readonly enabled?: boolean;
  readonly metadata?: readonly (readonly [key: string, value: string])[];
}

/** One record of a set. */
export type WireRecord =
  /** A lease with its content. `ten`: tenure. `id`: short name of this lease in its set, for guest beats. */
  | (WireVersion & {
      readonly state: 'live';
      readonly claim: WireClaim;
      readonly ten: number;
      readonly healthy: boolean;
      readonly id: number;
    })
  /** The lease of tenure `ten` ended; with `ten` 0 it ends none and only carries newer content. */
  | (WireVersion & { readonly state: 'ended'; readonly claim: WireClaim; readonly ten: number })
  /** Taken away on purpose. */
  | (WireVersion & { readonly state: 'removed' })
  /** An operator's edit (publisher `operator`). */
  | (WireVersion & { readonly state: 'edit'; readonly edit: WireEdit })
  /** Health of a persistent instance as its prober found it (publisher `probe`). */
  | (WireVersion & { readonly state: 'health'; readonly healthy: boolean });

/** Key of a record. `publisher`: `http`, `operator`, `probe`, or the id of a connection. */
export type WireKey = readonly [
  namespace: string,
  group: string,
  name: string,
  ip: string,
  port: number,
  cluster: string,
  publisher: string,
];

/** The set and rev that made a record needless. */
export interface Successor extends SetId {
  readonly rev: number;
}

/** A key of a set with its record, or without one. */
export interface WireChange {
  readonly key: WireKey;
  /** Absent: gone. */
  readonly record?: WireRecord;
  /** The record is gone because of another: whoever has not seen that one keeps this one meanwhile (R10 e). */
  readonly successor?: Successor;
  /** Ms since its author made it, when the sender could not send it soon. */
  readonly ageMs?: number;
}

/** Changes of a set (R2), at most 1,000 and about 256 KiB. */
export interface DeltaMessage {
  readonly type: 'delta';
  readonly set: SetId;
  /** Rev before the first change. */
  readonly from: number;
  /** Rev after the last one. */
  readonly to: number;
  /** The changes are all that the set holds at `to`. */
  readonly full: boolean;
  readonly changes: readonly WireChange[];
  /** As in {@link SetDigest}. */
  readonly graceMs?: number;
}

/** Asks for what a set has above `rev`; -1 asks for a set of which nothing is known. */
export interface PullMessage {
  readonly type: 'pull';
  readonly set: SetId;
  readonly rev: number;
}

/** Answer to a pull that no change log covers (R16). */
export interface BucketsMessage {
  readonly type: 'buckets';
  readonly set: SetId;
  readonly rev: number;
  /** 256 numbers: hash over the records of each bucket. */
  readonly hashes: readonly number[];
  readonly graceMs?: number;
}

/** Asks for the records of some buckets. */
export interface BucketPullMessage {
  readonly type: 'bucket-pull';
  readonly set: SetId;
  /** Indices 0 to 255. */
  readonly buckets: readonly number[];
}

/** Records of one bucket, all of one rev; large buckets come in parts. */
export interface BucketRecordsMessage {
  readonly type: 'bucket-records';
  readonly set: SetId;
  readonly rev: number;
  readonly bucket: number;
  /** Number of this part, 0 to `parts` - 1. */
  readonly part: number;
  readonly parts: number;
  readonly records: readonly { readonly key: WireKey; readonly record: WireRecord }[];
}

/** The receiver of a delta of its author's set has it up to `rev` (R17). */
export interface AckMessage {
  readonly type: 'ack';
  readonly set: SetId;
  readonly rev: number;
}

/** Signs of life that came in here for leases that the receiver holds. */
export interface RelayMessage {
  readonly type: 'relay';
  /** Comes back in the acknowledgement; grows per sender. */
  readonly number: number;
  /** Set of the receiver in which the ids are. */
  readonly set: SetId;
  /** Ids of leases, each with the ms since the sign of life. */
  readonly beats: readonly (readonly [id: number, ageMs: number])[];
  /** Health set by hand here. */
  readonly health: readonly (readonly [id: number, healthy: boolean])[];
}

/** A relay has arrived. */
export interface RelayAckMessage {
  readonly type: 'relay-ack';
  readonly number: number;
}

/** Any message. */
export type PeerMessage =
  | PingMessage
  | LeavingMessage
  | DeltaMessage
  | PullMessage
  | BucketsMessage
  | BucketPullMessage
  | BucketRecordsMessage
  | AckMessage
  | RelayMessage
  | RelayAckMessage;
