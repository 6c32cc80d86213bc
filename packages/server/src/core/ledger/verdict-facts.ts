// What the sentences of a verdict are made with.

import type { Account } from './account.js';
import type { Cause } from './cause.js';
import type { LeaseStep } from './fact.js';
import type { Reader } from './reader-chain.js';

/** Values for all sentences; each takes what it needs. */
export interface VerdictFacts {
  readonly cause: Cause;
  readonly instance: string;
  /** Length of what the cause explains, ms; 0 when it has none. */
  readonly ms: number;
  /** Of the whole account, ms. */
  readonly totalMs: number;
  readonly subscriber: string | undefined;
  readonly transport: Reader['transport'] | undefined;
  readonly beatTimeoutMs: number;
  readonly deleteTimeoutMs: number;
  readonly beatIntervalMs: number;
  /** Who was behind an operator's edit, or which address beats too. */
  readonly actor: string | undefined;
  readonly reason: string | undefined;
  /** Figures of health protection. */
  readonly protection:
    | { readonly healthy: number; readonly all: number; readonly threshold: number; readonly dialect: string }
    | undefined;
  readonly elsewhere: readonly string[];
  readonly publishers: readonly string[];
  readonly silentMs: number;
  readonly state: Account['state'];
  /** The take-over with which the silence began, and how long it took; undefined when there was none. */
  readonly takeOver: (LeaseStep & { readonly ms: number }) | undefined;
  /** Node that decided, or holds the lease; undefined for this one. */
  readonly holder: string | undefined;
}
