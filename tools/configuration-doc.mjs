// Writes docs/configuration.md and docs/limits.md from the option table of the built server. A test says when they are old.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { configurationPage } from '../packages/server/dist/app/configuration-doc.js';
import { limitsPage } from '../packages/server/dist/app/limits-doc.js';
import { root } from './prepare.mjs';

for (const [name, page] of Object.entries({ configuration: configurationPage(), limits: limitsPage() })) {
  writeFileSync(path.join(root, 'docs', `${name}.md`), page);
  console.log(`docs/${name}.md`);
}
