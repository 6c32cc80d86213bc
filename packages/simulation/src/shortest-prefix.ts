// A failing history made short: the fewest first deeds of its plan with which the same promise is still broken. Histories
// are deterministic but not monotonic in the length of the plan, so the shortest found is tried from the front.

import { type HistoryRequest, type HistoryResult, runHistory } from './history.js';

/**
 * Runs the history with 0, 1, 2 ... deeds until a promise is broken, and tells its story.
 *
 * @param request - one that breaks a promise
 */
export async function shortestFailingPrefix(request: HistoryRequest, failed: HistoryResult): Promise<HistoryResult> {
  for (let deeds = 0; deeds < failed.plan.length; deeds += 1) {
    const result = await runHistory({ ...request, deeds });
    if (result.violation?.rule === failed.violation?.rule) return runHistory({ ...request, deeds, traceMode: 'story' });
  }
  return runHistory({ ...request, traceMode: 'story' });
}
