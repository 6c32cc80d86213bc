#!/usr/bin/env node
// The committed entry of the `rollcall` command: it loads the built program and, when there is none, says how to get one.
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  console.error(
    'rollcall: cannot start: the built program "packages/cli/dist/main.js" is missing; ' +
      'run "npm start" once, or "npm ci" and "npm run build"',
  );
  process.exitCode = 1;
}
