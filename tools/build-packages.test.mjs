// When the packages of a clone count as built; the compiler is a small program that writes what tsc would.
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

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'rollcall-build-'));
  for (const name of ['package-lock.json', 'tsconfig.json', 'tsconfig.base.json']) write(name, '{}');
  for (const name of ['package.json', 'tsconfig.json']) write(`packages/a/${name}`, '{}');
  write('packages/a/src/index.ts', 'export {};');
  write('node_modules/typescript/bin/tsc', compiler);
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

it('fails with the exit code of the compiler, and stays not built', () => {
  write('packages/a/src/index.ts', 'wrong');
  expect(() => build(folder)).toThrow('exit code 2');
  expect(isBuilt(folder)).toBe(false);
});
