// What clients asked for, and where it arrived. A content carries the name of its operation, so that every reader's list
// says which write it shows.

import type { InstanceContent } from '@rollcall/protocol';
import type { SimKey } from './sim-key.js';

/** Metadata key under which a content carries the name of its operation. */
const OPERATION_KEY = 'operation';

/** A write as its client means it; several tries and beats with a body are arrivals of the same one. */
export interface Operation {
  /** `w17`; unique in a history. */
  readonly name: string;
  readonly key: SimKey;
  /** What is registered; undefined for a deregistration. */
  readonly content: InstanceContent | undefined;
  readonly arrivals: Arrival[];
  /** Nodes that took it or have shown it to readers, and may tell others. */
  readonly carriers: Set<number>;
  /** Once nobody was left who had it: from then on it may be gone without anybody being at fault. */
  lost: boolean;
  /** When its client was told that it was done; undefined while it does not know. */
  acknowledgedAt: number | undefined;
}

/** A node took an operation. */
export interface Arrival {
  readonly operation: Operation;
  readonly node: number;
  readonly run: number;
  /** Virtual time, ms. */
  readonly at: number;
  /** Place among all arrivals of the history. */
  readonly order: number;
  /** What the node showed of the key just before: the name of an operation. */
  readonly basis: string | undefined;
  /** Whether its node has forgotten it since: when others carry the operation on, it may be with the version of another arrival. */
  forgotten: boolean;
}

/** The content of an operation. @param weight - makes contents differ in more than the name */
export function contentOf(name: string, weight: number, lease: ReadonlyMap<string, string>): InstanceContent {
  return {
    weight,
    enabled: true,
    healthy: true,
    metadata: new Map([...lease, [OPERATION_KEY, name]]),
    app: undefined,
  };
}

/** Name of the operation that a content comes from. */
export function operationNameOf({ metadata }: InstanceContent): string | undefined {
  return metadata.get(OPERATION_KEY);
}
