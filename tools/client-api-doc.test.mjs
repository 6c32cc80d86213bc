import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { clientApiPage } from './client-api-doc.mjs';
import { root } from './prepare.mjs';

test('docs/client-api.md is up to date; otherwise run: npm run build && node tools/client-api-doc.mjs', () => {
  expect(readFileSync(path.join(root, 'docs', 'client-api.md'), 'utf8')).toBe(clientApiPage());
});

test('every public name has a description', () => {
  const sections = clientApiPage().split('\n### ').slice(1);
  expect(sections.length).toBeGreaterThan(30);
  for (const section of sections) {
    const [name, , description = ''] = section.split('\n');
    expect(description, `the description of ${name}`).toMatch(/\w/);
  }
});
