// Figures as bars: one bar per contender, as long as its share of the largest of the same figure, with the spread of its rounds.
// Ratios of all figures share one scale: alone each would be as long as any other.
import { formatNumber } from './report-text.js';
import type { FigureRow } from './round-table.js';
import { COLOURS, svgElement, svgText } from './svg-text.js';

const LINE = 18;
const FIGURE_X = 16;
const CONTENDER_X = 360;
const BAR_X = 560;
const BAR_WIDTH = 300;

/** Draws the rows below each other. @param top - where they begin @returns the parts, and where they end */
export function drawBars(
  rows: readonly FigureRow[],
  top: number,
): { readonly parts: string[]; readonly bottom: number } {
  const parts: string[] = [];
  const contenders = [...new Set(rows.map(({ contender }) => contender))];
  let y = top;
  for (const [i, row] of rows.entries()) {
    const { figure, contender, unit, value } = row;
    const compared = rows.filter((other) => (unit === 'x' ? other.unit === 'x' : other.figure === figure));
    const longest = Math.max(...compared.map((other) => other.value.max), 0);
    const scale = longest > 0 ? BAR_WIDTH / longest : 0;
    if (rows[i - 1]?.figure !== figure) parts.push(svgText(figure, { x: FIGURE_X, y: y + 13 }));
    parts.push(svgText(contender, { x: CONTENDER_X, y: y + 13 }));
    const fill = COLOURS[contenders.indexOf(contender) % COLOURS.length] as string;
    const width = Math.max(0, value.median * scale);
    parts.push(svgElement('rect', { x: BAR_X, y: y + 3, width, height: LINE - 6, fill }));
    if (value.min !== value.max) {
      const [x1, x2] = [BAR_X + Math.max(0, value.min * scale), BAR_X + value.max * scale];
      parts.push(svgElement('line', { x1, x2, y1: y + LINE / 2, y2: y + LINE / 2, stroke: '#000' }));
    }
    const shown = `${formatNumber(value.median)}${unit === '' ? '' : ` ${unit}`}`;
    parts.push(svgText(shown, { x: BAR_X + BAR_WIDTH + 8, y: y + 13 }));
    y += LINE;
  }
  return { parts, bottom: y };
}
