import { describe, expect, it } from 'vitest';
import type { BenchResult } from './bench-result.js';
import { drawResult } from './svg-plot.js';

const machine = { cpu: 'A & B', cores: 2, memoryGib: 4, node: 'v20', loadBefore: 1, pinned: true };
const row = (contender: string, median: number) => ({
  figure: 'rate <all>',
  contender,
  unit: '/s',
  value: { median, min: median / 2, max: median },
});
const points = [
  [1000, 10],
  [2000, 20],
  [4000, 20],
] as const;
const result: BenchResult = {
  machine,
  scenarios: {
    list: { rows: [row('rollcall', 200), row('peer', 100)], failures: ['"x" < 1'] },
    growth: { rows: [], failures: [], curves: [{ title: 'register', unit: 'µs', contender: 'rollcall', points }] },
  },
};

const numbers = (svg: string, pattern: RegExp) => [...svg.matchAll(pattern)].map(([, found]) => Number(found));

describe('drawResult', () => {
  const svg = drawResult(result);

  it('draws bars as long as the figures are large', () => {
    expect(numbers(svg, /<rect x="560" [^>]*width="([\d.]+)"/g)).toEqual([300, 150]);
  });

  it('draws ratios of different figures to one scale', () => {
    const ratio = (figure: string, median: number) => ({ ...row('rollcall', median), figure, unit: 'x' });
    const drawn = drawResult({
      machine,
      scenarios: { growth: { rows: [ratio('a', 2), ratio('b', 1)], failures: [] } },
    });
    expect(numbers(drawn, /<rect x="560" [^>]*width="([\d.]+)"/g)).toEqual([300, 150]);
  });

  it('draws a line through every point, and equal figures at one height', () => {
    const [, second, third] = numbers(svg, /<circle cx="[\d.]+" cy="([\d.]+)"/g);
    expect(svg).toContain('<polyline');
    expect(second).toBe(third);
    expect(numbers(svg, /<circle cx="([\d.]+)"/g)).toEqual([80, 470, 860]);
  });

  it('escapes what comes from outside, and is as high as what it holds', () => {
    expect(svg).toContain('rate &#60;all&#62;');
    expect(svg).toContain('FAILED &#34;x&#34; &#60; 1');
    const height = numbers(svg, /^<svg [^>]*height="([\d.]+)"/g)[0] ?? 0;
    for (const y of numbers(svg, / y="([\d.]+)"/g)) expect(y).toBeLessThan(height);
  });

  it('draws a run without figures', () => {
    expect(drawResult({ machine, scenarios: { list: { rows: [], failures: [] } } })).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });
});
