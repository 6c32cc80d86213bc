// Prepares the clone and runs the built program of a package in this process: `node tools/run.mjs <package> [arguments]`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';
import { stopWithNpm } from './stop-with-npm.mjs';

const [name, ...args] = process.argv.slice(2);
const program = path.join(root, 'packages', String(name), 'dist', 'main.js');
await prepare();
stopWithNpm();
if (existsSync(program)) {
  process.argv = [process.argv[0], program, ...args];
  await import(pathToFileURL(program).href);
} else {
  console.error(`rollcall: cannot run package "${name}": it has no "packages/${name}/src/main.ts"`);
  process.exitCode = 1;
}
