// When the packages of a clone count as built; compiler and bundler are small programs that write what the real ones would.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { build, isBuilt } from './build-packages.mjs';

const compiler = `
const fs = require('node:fs');
if (fs.readFileSync('packages/a/src/index.ts', 'utf8').includes('wrong')) process.exit(2);
fs.mkdirSync('packages/a/dist', { recursive: true });
fs.writeFileSync('packages/a/dist/.tsbuildinfo', '');
`;
const bundler = `
import fs from 'node:fs';
if (fs.readFileSync('rolldown.config.mjs', 'utf8').includes('wrong')) process.exit(3);
fs.mkdirSync('packages/cli/dist/program', { recursive: true });
fs.writeFileSync('packages/cli/dist/program/main.cjs', '');
`;

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'rollcall-build-'));
  for (const name of ['package-lock.json', 'tsconfig.json', 'tsconfig.base.json', 'rolldown.config.mjs'])
    write(name, '{}');
  for (const name of ['package.json', 'tsconfig.json']) write(`packages/a/${name}`, '{}');
  write('packages/a/src/index.ts', 'export {};');
  write('node_modules/typescript/bin/tsc', compiler);
  write('node_modules/rolldown/bin/cli.mjs', bundler);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file, content) {
  const name = path.join(folder, file);
  mkdirSync(path.dirname(name), { recursive: true });
  writeFileSync(name, content);
}

it('is built after a build, and not before', () => {
  expect(isBuilt(folder)).toBe(false);
  build(folder);
  expect(isBuilt(folder)).toBe(true);
});

it.each([
  ['a changed source', () => write('packages/a/src/index.ts', 'export const a = 1;')],
  ['a new source', () => write('packages/a/src/core/new.ts', 'export {};')],
  ['a removed result', () => rmSync(path.join(folder, 'packages/a/dist'), { recursive: true })],
  ['a removed command', () => rmSync(path.join(folder, 'packages/cli/dist'), { recursive: true })],
  ['other settings of the bundler', () => write('rolldown.config.mjs', 'export default {};')],
  ['a new package', () => write('packages/b/tsconfig.json', '{}')],
])('is not built after %s', (_name, change) => {
  build(folder);
  change();
  expect(isBuilt(folder)).toBe(false);
});

it('stays built when a test changes', () => {
  build(folder);
  write('packages/a/src/index.test.ts', 'export {};');
  expect(isBuilt(folder)).toBe(true);
});

it.each([
  ['compiler', 'packages/a/src/index.ts', 2],
  ['bundler', 'rolldown.config.mjs', 3],
])('fails with the exit code of the %s, and stays not built', (name, file, code) => {
  write(file, 'wrong');
  expect(() => build(folder)).toThrow(`exit code ${code} of the ${name}`);
  expect(isBuilt(folder)).toBe(false);
});
