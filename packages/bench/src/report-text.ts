// The report for people: one aligned line per figure, median first, then the spread of the rounds.
import type { Curve } from './curve.js';
import type { MachineShape } from './machine-shape.js';
import type { FigureRow } from './round-table.js';

/** One line that says what the figures were measured on. */
export function formatMachine(machine: MachineShape): string {
  const { cpu, cores, memoryGib, node, loadBefore, pinned } = machine;
  const pinning = pinned ? 'servers on core 0, load generator on core 1' : 'not pinned to cores';
  return `${cpu}, ${cores} cores, ${memoryGib} GiB, Node ${node}, load average before ${loadBefore}, ${pinning}`;
}

/** The figures as aligned text. */
export function formatRows(rows: readonly FigureRow[]): string {
  return aligned(
    rows.map(({ figure, contender, unit, value }) => [
      figure,
      contender,
      `${formatNumber(value.median)}${unit === '' ? '' : ` ${unit}`}`,
      value.min === value.max ? '' : `(${formatNumber(value.min)} to ${formatNumber(value.max)})`,
    ]),
  );
}

/** Curves as aligned text: a line each, its figures below how many there were. */
export function formatCurves(curves: readonly Curve[]): string {
  const numbers = [...new Set(curves.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const lines = curves.map(({ title, unit, contender, points }) => {
    const byNumber = new Map(points);
    const cells = numbers.map((x) => {
      const value = byNumber.get(x);
      return value === undefined ? '' : formatNumber(value);
    });
    return [`${title}, ${unit}`, contender, ...cells];
  });
  return aligned([['', '', ...numbers.map(String)], ...lines]);
}

function aligned(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(...lines.map(({ length }) => length), 0);
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Three digits, or a whole number. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 999.5) return Math.round(value).toString();
  return value.toPrecision(3);
}
