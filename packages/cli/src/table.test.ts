// Alignment with wide characters and colours, and text that would do something to a terminal.

import pc from 'picocolors';
import { expect, it } from 'vitest';
import { type Column, pairsText, safeText, tableText } from './table.js';

interface Row {
  readonly name: string;
  readonly count: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'NAME', text: (row) => row.name },
  { title: 'COUNT', align: 'right', text: (row, colors) => colors.red(String(row.count)) },
];
const ROWS = [
  { name: 'orders', count: 7 },
  { name: '订单', count: 1234 },
];

it('aligns columns, and counts wide characters as two', () => {
  expect(tableText(COLUMNS, ROWS, pc.createColors(false))).toBe(
    ['NAME    COUNT', 'orders      7', '订单     1234'].join('\n'),
  );
});

it('aligns the same with colours', () => {
  const plain = tableText(COLUMNS, ROWS, pc.createColors(false));
  const colored = tableText(COLUMNS, ROWS, pc.createColors(true));
  expect(colored).toContain('\u001b[31m7\u001b[39m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are removed
  expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(plain);
});

it.each([pc.createColors(false), pc.createColors(true)])('aligns thousands of rows as it does two, %#', (colors) => {
  const fillers = Array.from({ length: 5000 }, () => ({ name: 'a', count: 1 }));
  const lines = tableText(COLUMNS, [...fillers, ...ROWS], colors).split('\n');
  const [head, first, second] = tableText(COLUMNS, ROWS, colors).split('\n');
  expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual([head, first, second]);
  const filler = tableText(COLUMNS, [...fillers.slice(0, 1), ...ROWS], colors).split('\n')[1];
  expect(lines).toHaveLength(5003);
  expect(new Set(lines.slice(1, -2))).toEqual(new Set([filler]));
});

it('prints the head alone when there are no rows', () => {
  expect(tableText(COLUMNS, [], pc.createColors(false))).toBe('NAME  COUNT');
});

it('prints pairs', () => {
  expect(
    pairsText(
      [
        ['version', '1'],
        ['up', '2 s'],
      ],
      pc.createColors(false),
    ),
  ).toBe('version  1\nup       2 s');
});

it('aligns hundreds of pairs alike', () => {
  const pairs = Array.from({ length: 250 }, (_, n) => [n === 200 ? 'a longer name' : 'name', `value-${n}`] as const);
  const lines = pairsText(pairs, pc.createColors(false)).split('\n');
  expect(lines).toHaveLength(250);
  expect(new Set(lines.map((line) => line.indexOf('value-')))).toEqual(new Set([15]));
});

it.each([
  ['\u001b[2J', '\\u001b[2J'],
  ['a\nb', 'a\\u000ab'],
  ['\u009b31m', '\\u009b31m'],
  ['\u202eabc', '\\u202eabc'],
  ['中文 ok', '中文 ok'],
])('makes %j visible', (text, shown) => {
  expect(safeText(text)).toBe(shown);
});
