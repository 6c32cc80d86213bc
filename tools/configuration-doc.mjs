// Writes docs/configuration.md, docs/limits.md and docs/metrics.md from the tables of the built server. A test says when they are old.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { metricsPage } from '../packages/server/dist/adapters/metrics/metrics-doc.js';
import { configurationPage } from '../packages/server/dist/app/configuration-doc.js';
import { limitsPage } from '../packages/server/dist/app/limits-doc.js';
import { root } from './prepare.mjs';

const pages = { configuration: configurationPage(), limits: limitsPage(), metrics: metricsPage() };
for (const [name, page] of Object.entries(pages)) {
  writeFileSync(path.join(root, 'docs', `${name}.md`), page);
  console.log(`docs/${name}.md`);
}
