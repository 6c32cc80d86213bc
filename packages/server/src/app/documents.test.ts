// The pages made from tables are as the tables are now.

import { readFileSync } from 'node:fs';
import { ERROR_CODES, errorMapping } from '@rollcall/protocol';
import { describe, expect, it } from 'vitest';
import { metricsPage } from '../adapters/metrics/metrics-doc.js';
import { configurationPage } from './configuration-doc.js';
import { EXIT_CODES } from './exit-code.js';
import { limitsPage } from './limits-doc.js';

const pageAt = (name: string) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8');

it.each([
  ['configuration', configurationPage],
  ['limits', limitsPage],
  ['metrics', metricsPage],
])('docs/%s.md is up to date; otherwise run: npm run build && node tools/configuration-doc.mjs', (name, page) => {
  expect(pageAt(name)).toBe(page());
});

describe('docs/errors.md', () => {
  const sections = pageAt('errors').split(/^##+ /m);

  it('has one section per error code, in the order of the table, and no other', () => {
    const names = sections.map((section) => section.slice(0, section.indexOf('\n')));
    const first = names.indexOf('Codes') + 1;
    expect(names.slice(first, names.indexOf('Exit codes of the command line'))).toEqual(ERROR_CODES);
  });

  it.each(ERROR_CODES)('says how %s looks on each protocol, what it means and what to do', (code) => {
    const [title, , wire, , text = ''] = (sections.find((section) => section.startsWith(`${code}\n`)) ?? '').split(
      '\n',
    );
    const { httpStatus, resultCode, resultText, grpcCode } = errorMapping(code);
    expect(title).toBe(code);
    expect(wire).toBe(`HTTP ${httpStatus}, v2 and v3 ${resultCode} \`${resultText}\`, gRPC ${grpcCode}`);
    expect(text.split('. ').length).toBeGreaterThan(1);
  });

  it('lists the exit codes as they are', () => {
    const rows = Object.entries(EXIT_CODES).map(
      ([name, { code, meaning }]) => `| ${code} | \`${name}\` | ${meaning} |`,
    );
    const listed = pageAt('errors').match(/^\| \d+ \|.*$/gm);
    expect(listed).toEqual(rows);
  });
});
