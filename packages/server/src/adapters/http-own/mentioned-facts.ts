// Which facts of a service belong to the history of one of its instances: its own, and those of the lists that showed it.

import { type Fact, isInstanceFact } from '../../core/ledger/fact.js';

/** Whether a fact belongs there. @param address - the instance; undefined for the whole service */
export function mentions(
  fact: Fact,
  address: { readonly ip: string; readonly port: number; readonly cluster?: string } | undefined,
): boolean {
  if (address === undefined || !isInstanceFact(fact)) return true;
  const { ip, port, cluster } = address;
  return fact.ip === ip && fact.port === port && (cluster === undefined || fact.cluster === cluster);
}
