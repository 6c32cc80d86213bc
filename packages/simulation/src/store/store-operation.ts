// What operators ask of durable records, and what they are told. Each request has an address of its own, which the product
// writes into the mark of its transactions: so the store itself says which requests had an effect.

import { RegistryError } from '@rollcall/protocol';
import type { Actor } from '@rollcall/server/internal';
import type { StoreDeed } from './store-deed.js';

const ADDRESS = 'operator-';

/**
 * What an operator is told. `made`: it was, but its node has not heard of it. `refused`: it was not made. `in-doubt`: nobody
 * knows. `unanswered`: the process ended first.
 */
export type OperationEnd = 'acknowledged' | 'made' | 'refused' | 'in-doubt' | 'unanswered';

/** One request. */
export interface StoreOperation {
  /** 1, 2, 3 ...; what it writes carries this number. */
  readonly number: number;
  readonly deed: StoreDeed;
  readonly node: number;
  readonly run: number;
  /** Up to which revision its node had everything when it came. */
  readonly knownRevision: number;
  /** How many changes its last plan came to. */
  planned: number;
  end: OperationEnd;
  /** Revision of the store when it ended. */
  endRevision: number | undefined;
  text: string;
}

/** Who makes an operation. */
export function actorOf({ number }: StoreOperation): Actor {
  return { via: 'operator', address: `${ADDRESS}${number}` };
}

/** Number of the operation that a mark is of; undefined for what the server did on its own. */
export function operationOfMark(value: string): number | undefined {
  const { address } = JSON.parse(value) as { address?: string };
  return address?.startsWith(ADDRESS) === true ? Number(address.slice(ADDRESS.length)) : undefined;
}

/** What an operator makes of a failure. */
export function endOfFailure(error: unknown): OperationEnd {
  if (!(error instanceof RegistryError)) throw error;
  if (error.message.startsWith('The change was made')) return 'made';
  return error.message.startsWith('It is not known') ? 'in-doubt' : 'refused';
}

/** An operation in words. */
export function operationText({ number, deed, node, end, text }: StoreOperation): string {
  const told = text === '' ? '' : ` ("${text}")`;
  return `operation ${number} (${deed.does} ${deed.record} ${deed.which} at node ${node}, ${end}${told})`;
}
