// Results of flows over a cluster for people: a table of figures with their limits, and a count.
import type { ClusterFlow, ClusterFlowResult } from './cluster-flow.js';
import { type ClusterStrength, type Figure, judgeFigure, limitText } from './figure.js';

const NAME_WIDTH = 62;
const VALUE_WIDTH = 12;
const LIMIT_WIDTH = 12;

/** How a flow ended. */
export function outcomeOf(
  { broken, skipped, figures }: ClusterFlowResult,
  strength: ClusterStrength,
): 'passed' | 'failed' | 'skipped' {
  if (skipped !== undefined) return 'skipped';
  const isWrong = (figure: Figure): boolean => judgeFigure(figure, strength) === 'WRONG';
  return broken !== undefined || figures.length === 0 || figures.some(isWrong) ? 'failed' : 'passed';
}

/** One line for the list of flows. */
export function formatClusterFlow({ id, seconds, title }: ClusterFlow): string {
  return `${id.padEnd(4)}${String(seconds).padStart(4)} s  ${title}`;
}

/** The table of one flow. */
export function formatClusterResult(result: ClusterFlowResult, strength: ClusterStrength): string {
  const { flow, figures, seconds, broken, skipped } = result;
  const head = `${outcomeOf(result, strength).padEnd(8)}${flow.id.padEnd(4)} ${seconds.toFixed(1)} s  ${flow.title}`;
  const rows = figures.map((figure) => {
    const value = `${figure.value} ${figure.unit}`.trimEnd();
    const verdict = judgeFigure(figure, strength);
    return [
      `        ${figure.name.padEnd(NAME_WIDTH)}`,
      value.padStart(VALUE_WIDTH),
      `  ${limitText(figure, strength).padEnd(LIMIT_WIDTH)}`,
      verdict === 'WRONG' ? '  WRONG' : '',
    ]
      .join('')
      .trimEnd();
  });
  const reasons = [broken, skipped].filter((text) => text !== undefined).map((text) => `        ${text}`);
  return [head, ...rows, ...reasons].join('\n');
}

/** The closing line: `N passed, N failed`, and how many were skipped. */
export function formatClusterCounts(results: readonly ClusterFlowResult[], strength: ClusterStrength): string {
  const count = (outcome: string): number => results.filter((result) => outcomeOf(result, strength) === outcome).length;
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

/** Results as plain data, for `--json`. */
export function clusterResultsAsJson(
  results: readonly ClusterFlowResult[],
  strength: ClusterStrength,
): readonly object[] {
  return results.map((result) => ({
    id: result.flow.id,
    title: result.flow.title,
    result: outcomeOf(result, strength),
    seconds: Math.round(result.seconds * 10) / 10,
    reason: result.broken ?? result.skipped,
    figures: result.figures.map((figure) => ({ ...figure, verdict: judgeFigure(figure, strength) })),
  }));
}
