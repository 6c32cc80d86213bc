// The report for people: one aligned line per figure, median first, then the spread of the rounds.
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
  const cells = rows.map(({ figure, contender, unit, value }) => [
    figure,
    contender,
    `${formatNumber(value.median)}${unit === '' ? '' : ` ${unit}`}`,
    value.min === value.max ? '' : `(${formatNumber(value.min)} to ${formatNumber(value.max)})`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((line) => line[column]?.length ?? 0), 0));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function formatNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return Math.round(value).toString();
  return value.toPrecision(3);
}
