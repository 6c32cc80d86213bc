// The pages made from tables are as the tables are now.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configurationPage } from './configuration-doc.js';
import { limitsPage } from './limits-doc.js';

it.each([
  ['configuration', configurationPage],
  ['limits', limitsPage],
])('docs/%s.md is up to date; otherwise run: npm run build && node tools/configuration-doc.mjs', (name, page) => {
  const written = readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8');
  expect(written).toBe(page());
});
