// Tables without lines: a head, aligned columns, wide characters counted as wide. What comes from a server is made safe
// first, so that no name or metadata can move the cursor or forge a row.

import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import type { Colors } from './terminal.js';

/** One column. */
export interface Column<R> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Text of a row; colours may be in it. */
  readonly text: (row: R, colors: Colors) => string;
}

type Align = 'left' | 'right';

/** How a table is laid out. */
interface Layout {
  readonly head: string[];
  readonly aligns: Align[];
  /** Of each column; as the texts need it by default. */
  readonly widths?: number[];
}

/** Rows that are laid out at once: the library's time grows with the square of their number, to 14 s for 5,000. */
const PORTION = 100;

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** A table as text, without a line feed at its end. */
export function tableText<R>(columns: readonly Column<R>[], rows: readonly R[], colors: Colors): string {
  return layout(
    columns.map(({ title }) => colors.bold(title)),
    columns.map(({ align }) => align ?? 'left'),
    rows.map((row) => columns.map(({ text }) => text(row, colors))),
  );
}

/** Names and values, one pair per line. */
export function pairsText(pairs: readonly (readonly [string, string])[], colors: Colors): string {
  return layout(
    [],
    ['left', 'left'],
    pairs.map(([name, value]) => [colors.bold(name), value]),
  );
}

/** Text from a server with everything made visible that would not be printed as a character. */
export function safeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is made visible
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function layout(head: string[], aligns: Align[], rows: string[][]): string {
  if (rows.length <= PORTION) return drawn({ head, aligns, rows });
  const portions: string[][][] = [];
  for (let from = 0; from < rows.length; from += PORTION) portions.push(rows.slice(from, from + PORTION));
  const widths = aligns.map((_, column) =>
    portions.reduce((widest, portion) => Math.max(widest, widthOf(head[column] ?? '', portion, column)), 0),
  );
  return portions
    .map((portion, index) => drawn({ head: index === 0 ? head : [], aligns, rows: portion, widths }))
    .join('\n');
}

/** Columns of the terminal that one column of a portion takes: what the library pads its head to. */
function widthOf(title: string, portion: readonly string[][], column: number): number {
  const table = newTable({ head: [stripVTControlCharacters(title)], aligns: ['left'] });
  table.push(...portion.map((row) => [row[column] ?? '']));
  return table.width;
}

function drawn({ rows, ...layout }: Layout & { readonly rows: string[][] }): string {
  const table = newTable(layout);
  table.push(...rows);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function newTable({ head, aligns, widths = [] }: Layout): Table.Table {
  return new Table({
    head,
    colAligns: aligns,
    colWidths: widths,
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
}
