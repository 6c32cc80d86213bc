#!/usr/bin/env node
// The committed entry of the `rollcall` command: it loads the built program and, when there is none, says how to get one.
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/program/main.cjs', import.meta.url));
if (existsSync(program)) {
  // From Node 22 on: what was compiled once is kept for the next start, as far as the folder can be written.
  module.enableCompileCache?.(fileURLToPath(new URL('../dist/compile-cache', import.meta.url)));
  createRequire(import.meta.url)(program);
} else {
  console.error(
    'rollcall: cannot start: the built program "packages/cli/dist/program/main.cjs" is missing; ' +
      'run "npm start" once, or "npm ci" and "npm run build"',
  );
  process.exitCode = 1;
}
