// I12: nothing from the shared store, and nothing from its loss, changes an answer about ephemeral instances. Checked by running
// a history a second time without any store: readers must see the same of those instances at the same times.

import { Violation } from './checkers/checker.js';
import { type HistoryRequest, type HistoryResult, runHistory } from './history.js';

/** What differs without the store; undefined when nothing does, or when the scenario has none. */
export async function storeDependence(request: HistoryRequest, first: HistoryResult): Promise<Violation | undefined> {
  if (request.scenario.comparesStores !== true) return undefined;
  const second = await runHistory({ ...request, store: 'absent', traceMode: 'hash' });
  if (second.violation !== undefined) return second.violation;
  if (second.viewHash === first.viewHash) return undefined;
  return new Violation(
    'I12',
    'readers see other ephemeral instances, or at other times, when there is no shared store',
  );
}
