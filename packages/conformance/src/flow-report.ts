// Results of flows for people: one line per flow, its measurements below, and a count at the end.
import type { Flow, FlowResult } from './flow.js';
import type { Measurement } from './measurement.js';

/** One line for the list of flows. */
export function formatFlow({ id, client, title, seconds }: Flow): string {
  return `${id.padEnd(4)} ${client.padEnd(4)} ${String(seconds).padStart(3)} s  ${title}`;
}

/** One flow's result, with its measurements. */
export function formatResult({ flow, outcome, measurements, seconds }: FlowResult): string {
  const head = `${outcome.result.padEnd(7)} ${flow.id.padEnd(4)} ${flow.client.padEnd(4)} ${seconds.toFixed(1)} s  ${flow.title}`;
  const reason = outcome.result === 'passed' ? [] : [`        ${outcome.reason}`];
  return [head, ...reason, ...measurements.map((measurement) => `        ${formatMeasurement(measurement)}`)].join(
    '\n',
  );
}

/** The closing line: `N passed, N failed`, and how many were skipped. */
export function formatCounts(results: readonly FlowResult[]): string {
  const count = (result: string): number => results.filter(({ outcome }) => outcome.result === result).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

/** Results as plain data, for `--json`. */
export function resultsAsJson(results: readonly FlowResult[]): readonly object[] {
  return results.map(({ flow: { id, client, title }, outcome, measurements, seconds }) => ({
    id,
    client,
    title,
    ...outcome,
    seconds: Math.round(seconds * 10) / 10,
    measurements,
  }));
}

function formatMeasurement({ name, value, unit }: Measurement): string {
  return `${name}: ${Math.round(value * 1000) / 1000}${unit === '' ? '' : ` ${unit}`}`;
}
