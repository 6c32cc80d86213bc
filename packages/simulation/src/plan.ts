// What is going to happen in a history, decided before it begins: plain data, so that it can be printed, cut short and
// run again.

import type { PathQuality } from './packet-network.js';
import type { StoreDeed } from './store/store-deed.js';
import type { StoreTrouble } from './store/store-service.js';

/** What happens, without its time. Numbers of nodes and clients are indices. */
export type Deed =
  /** Nothing gets from the one side to the other; `both`: nor back. Clients go with the side of their node, or stay free. */
  | {
      readonly type: 'cut';
      readonly from: readonly number[];
      readonly to: readonly number[];
      readonly ways: 'one' | 'both';
      readonly clients: 'split' | 'free';
      readonly forMs: number;
    }
  | { readonly type: 'quality'; readonly quality: PathQuality; readonly forMs: number }
  /** `machine`: nothing answers any more; `process`: connections are refused. Without `forMs` it stays down to the end. */
  | {
      readonly type: 'crash';
      readonly node: number;
      readonly what: 'process' | 'machine';
      readonly disk: 'kept' | 'lost';
      readonly forMs: number | undefined;
    }
  /** A node stops in order: it says goodbye to the others, ends, and starts again. */
  | { readonly type: 'leave'; readonly node: number; readonly forMs: number }
  /** A second process starts elsewhere and says that it has the address of a node. */
  | { readonly type: 'twin'; readonly node: number; readonly forMs: number }
  | { readonly type: 'freeze'; readonly node: number; readonly forMs: number }
  /** The wall clock of a node is set. */
  | { readonly type: 'jump'; readonly node: number; readonly ms: number }
  /** A node reads slowly what its peers send. */
  | { readonly type: 'slow'; readonly node: number; readonly bytesPerSecond: number; readonly forMs: number }
  /** Some nodes get a list of members in which others are missing. */
  | {
      readonly type: 'members';
      readonly nodes: readonly number[];
      readonly without: readonly number[];
      readonly forMs: number;
    }
  /** An operator edits the instance of a client at a node; nothing happens when the node does not show it. */
  | { readonly type: 'edit'; readonly node: number; readonly client: number; readonly does: 'set-weight' | 'take-back' }
  /** Nodes lose their way to the shared store. */
  | {
      readonly type: 'store-cut';
      readonly nodes: readonly number[];
      readonly how: 'refused' | 'silent';
      readonly forMs: number;
    }
  | { readonly type: 'store-trouble'; readonly trouble: StoreTrouble; readonly forMs: number }
  /** The shared store forgets its history, or all watches of it end. */
  | { readonly type: 'store-event'; readonly does: 'compact' | 'break-watches' }
  /** An operator asks a node to change a durable record; nothing happens when that node is down. */
  | ({ readonly type: 'operate'; readonly node: number } & StoreDeed)
  | {
      readonly type: 'client';
      readonly client: number;
      /** `leave-with-late-beat`: one full beat is still under way and arrives after the deregistration. */
      readonly does: 'update' | 'leave' | 'leave-with-late-beat' | 'die' | 'return';
    };

/** Something that happens at a time. */
export interface PlannedDeed {
  /** Virtual time, ms. */
  readonly atMs: number;
  readonly deed: Deed;
}

/** A plan as text, a line for each deed. */
export function planText(plan: readonly PlannedDeed[]): string[] {
  return plan.map(({ atMs, deed }) => `${(atMs / 1000).toFixed(3).padStart(8)} s  ${deedText(deed)}`);
}

/** A deed in words. */
export function deedText(deed: Deed): string {
  const { type, ...fields } = deed;
  const details = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `${type} ${details.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')}`;
}
