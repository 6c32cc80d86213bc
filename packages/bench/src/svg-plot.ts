// A run as one picture: the machine, then each scenario with its curves and its figures.
import type { BenchResult } from './bench-result.js';
import { formatMachine } from './report-text.js';
import { drawBars } from './svg-bars.js';
import { drawCurves } from './svg-curves.js';
import { svgDocument, svgText } from './svg-text.js';

const WIDTH = 980;
const LEFT = 16;
const LINE = 18;

/** The picture as an SVG document. */
export function drawResult({ machine, scenarios }: BenchResult): string {
  const parts: string[] = [svgText(formatMachine(machine), { x: LEFT, y: 24, fill: '#555' })];
  let y = 44;
  for (const [name, { rows, failures, curves = [] }] of Object.entries(scenarios)) {
    parts.push(svgText(name, { x: LEFT, y: y + 16, 'font-size': 16, 'font-weight': 'bold' }));
    y += 28;
    for (const failure of failures) {
      parts.push(svgText(`FAILED ${failure}`, { x: LEFT, y: y + 13, fill: '#b00' }));
      y += LINE;
    }
    const lines = drawCurves(curves, y);
    const bars = drawBars(rows, lines.bottom);
    parts.push(...lines.parts, ...bars.parts);
    y = bars.bottom + 20;
  }
  return svgDocument(WIDTH, y, parts);
}
