// The account of the ledger as flows read it: the members that they look at.
import type { FlowContext } from '../flow-context.js';
import { FlowSkip } from '../flow-failure.js';

/** A part of an account; times in epoch ms on the ledger's time line. */
export interface AccountStage {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly ms: number;
  readonly cause: string;
}

/** How one subscriber came to know. */
export interface AccountChain {
  readonly stages: readonly AccountStage[];
  readonly to: number;
  readonly totalMs: number;
  readonly end: string;
}

/** The account of one incident. */
export interface AccountAnswer {
  readonly cause: string;
  readonly incident: { readonly from: number; readonly downAt: number } | null;
  readonly subscribers: readonly {
    readonly subscriber: string;
    readonly transport: string;
    readonly told: AccountChain;
  }[];
}

/** Asks for the account of an instance. @throws Error when it is refused */
export async function readAccount(
  context: FlowContext,
  query: { readonly serviceName: string; readonly ip: string; readonly port: string },
): Promise<AccountAnswer> {
  return JSON.parse(await context.api.mustCall({ method: 'GET', path: '/rollcall/v1/why', query })) as AccountAnswer;
}

/** @throws FlowSkip on a server without a ledger */
export async function requireLedger(context: FlowContext): Promise<void> {
  const query = { serviceName: context.uniqueName('ledger') };
  const { status } = await context.api.call({ method: 'GET', path: '/rollcall/v1/history', query });
  if (status !== 200) throw new FlowSkip(`the server keeps no history: status ${status}`);
}
