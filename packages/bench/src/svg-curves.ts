// Figures over a number that grows as lines, the number on a logarithmic axis, the figure from 0: a flat line is what is hoped for.
import type { Curve } from './curve.js';
import { formatNumber } from './report-text.js';
import { COLOURS, svgElement, svgText } from './svg-text.js';

const LEFT = 80;
const WIDTH = 780;
const HEIGHT = 110;
const GAP = 60;

/** Draws a panel for each title below each other. @param top - where they begin @returns the parts, and where they end */
export function drawCurves(
  curves: readonly Curve[],
  top: number,
): { readonly parts: string[]; readonly bottom: number } {
  const parts: string[] = [];
  let y = top;
  for (const title of new Set(curves.map((curve) => curve.title))) {
    parts.push(
      ...drawPanel(
        curves.filter((curve) => curve.title === title),
        y,
      ),
    );
    y += HEIGHT + GAP;
  }
  return { parts, bottom: y };
}

function drawPanel(curves: readonly Curve[], top: number): readonly string[] {
  const [{ title, unit } = { title: '', unit: '' }] = curves;
  const points = curves.flatMap((curve) => curve.points);
  const numbers = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
  const [lowest, highest] = [numbers[0] ?? 1, numbers.at(-1) ?? 1];
  const largest = Math.max(...points.map(([, value]) => value), 0) || 1;
  const bottom = top + 20 + HEIGHT;
  const xOf = (n: number): number =>
    LEFT + (lowest === highest ? 0 : (Math.log(n / lowest) / Math.log(highest / lowest)) * WIDTH);
  const yOf = (value: number): number => bottom - (Math.max(0, value) / largest) * HEIGHT;
  const axis = { stroke: '#999' };
  return [
    svgText(`${title}, ${unit}`, { x: 16, y: top + 12, 'font-weight': 'bold' }),
    svgElement('line', { x1: LEFT, x2: LEFT + WIDTH, y1: bottom, y2: bottom, ...axis }),
    svgElement('line', { x1: LEFT, x2: LEFT, y1: top + 20, y2: bottom, ...axis }),
    svgText(formatNumber(largest), { x: LEFT - 6, y: top + 28, 'text-anchor': 'end' }),
    svgText('0', { x: LEFT - 6, y: bottom, 'text-anchor': 'end' }),
    ...numbers.map((n) => svgText(String(n), { x: xOf(n), y: bottom + 15, 'text-anchor': 'middle' })),
    ...curves.flatMap(({ contender, points: own }, i) => {
      const stroke = COLOURS[i % COLOURS.length] as string;
      const path = own.map(([n, value]) => `${xOf(n).toFixed(1)},${yOf(value).toFixed(1)}`).join(' ');
      const name = { x: LEFT + WIDTH, y: top + 12 + i * 14, 'text-anchor': 'end', fill: stroke };
      return [
        svgElement('polyline', { points: path, fill: 'none', stroke, 'stroke-width': 2 }),
        ...own.map(([n, value]) => svgElement('circle', { cx: xOf(n), cy: yOf(value), r: 3, fill: stroke })),
        svgText(contender, name),
      ];
    }),
  ];
}
