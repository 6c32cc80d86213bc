// Shapes of the JSON answers of the ledger's routes, shared with the command line. Times are epoch ms on the time line of the
// ledger, durations whole ms.

import type { Account } from '../../core/ledger/account.js';
import type { Cause } from '../../core/ledger/cause.js';
import type { Fact, ServerFact } from '../../core/ledger/fact.js';
import type { HeldList } from '../../core/ledger/held-list.js';

/** What every answer of the ledger has. */
export interface LedgerAnswer {
  readonly namespaceId: string;
  readonly groupName: string;
  readonly serviceName: string;
  /** Address of the server that answers. */
  readonly node: string;
  /** When it was asked. */
  readonly askedAt: number;
  /** Facts of the service that the bounds have dropped, and the time of the newest of them; 0 when none was. */
  readonly dropped: number;
  readonly droppedUntil: number;
}

/** GET `/rollcall/v1/why`. */
export interface WhyAnswer extends LedgerAnswer, Account {
  /** The cause that the verdict is about. */
  readonly cause: Cause;
  /** Where most of the time went, in one sentence. */
  readonly verdict: string;
  /** What to change. */
  readonly advice: string;
}

/** GET `/rollcall/v1/as`. */
export interface AsAnswer extends LedgerAnswer, HeldList {
  readonly subscriber: string;
  /** The moment that was asked about. */
  readonly at: number;
}

/** GET `/rollcall/v1/history`. */
export interface HistoryAnswer extends LedgerAnswer {
  /** Facts of the service or instance and those of the whole server, oldest first. */
  readonly facts: readonly (Fact | ServerFact)[];
}
