// The cluster as this node sees it: what routes, metrics and the command line are told of the members.

/** State of a member. `STARTING`: it has no full copy of the registrations yet, and answers no reads. */
export type ClusterMemberState = 'STARTING' | 'UP' | 'SUSPICIOUS' | 'DOWN';

/** One member at one moment. */
export interface ClusterMember {
  /** IP literal or host name, and the port that clients use. */
  readonly ip: string;
  readonly port: number;
  /** The two as in the list of members. */
  readonly address: string;
  readonly isSelf: boolean;
  readonly state: ClusterMemberState;
  /** Version of its program; undefined when it has not said it yet. */
  readonly version: string | undefined;
  /** Ms since something came from it; -1 when nothing ever did, 0 for this node. */
  readonly silentMs: number;
  /** Number of its run; 0 when not known. */
  readonly epoch: number;
  /** Changes made here that it has not acknowledged yet. */
  readonly lag: number;
  /** Whether it holds the records that this node holds, by its last ping. `behind`: not at the same change, so nothing can be compared. */
  readonly records: 'equal' | 'behind' | 'different';
  /** Whether messages to it arrive. */
  readonly isConnected: boolean;
  /** Bytes that wait because it has not read yet. */
  readonly queuedBytes: number;
  /** Why it and this node refuse each other, as the reason of a fault; undefined when they do not. */
  readonly rejection: string | undefined;
}

/** The cluster. */
export interface ClusterView {
  readonly name: string;
  /** Whether this node has a full copy. */
  readonly state: 'STARTING' | 'UP';
  /** All members, sorted by address. */
  members(): readonly ClusterMember[];
  /** The member that is responsible for a service, by its address. @param serviceId - `ServiceKey.id` */
  ownerOf(serviceId: string): string;
}
