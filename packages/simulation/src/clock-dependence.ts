// I10: the offset of any wall clock changes no output except timestamps and the choice between writes that did not know of
// each other. Checked by running a history without such writes a second time, with clocks that are hours apart.

import { Violation } from './checkers/checker.js';
import { type HistoryRequest, type HistoryResult, runHistory } from './history.js';

const SHIFT_MS = 3_600_000;

/** What differs when the wall clocks do; undefined when nothing does, or when the scenario does not promise it. */
export async function clockDependence(request: HistoryRequest, first: HistoryResult): Promise<Violation | undefined> {
  if (request.scenario.comparesClocks !== true) return undefined;
  const second = await runHistory({ ...request, wallShiftMs: SHIFT_MS, traceMode: 'hash' });
  if (second.violation !== undefined) return second.violation;
  if (second.viewHash === first.viewHash) return undefined;
  return new Violation('I10', `readers see something else when wall clocks are ${2 * SHIFT_MS} ms apart`);
}
