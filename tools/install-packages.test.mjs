// When a clone counts as installed.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isInstalled } from './install-packages.mjs';

const link = { resolved: 'packages/a', link: true };
const library = { version: '1.0.0', integrity: 'sha512-x' };
const locked = {
  '': { name: 'clone' },
  'packages/a': { version: '0.1.0' },
  'node_modules/@clone/a': link,
  'node_modules/library': library,
  'node_modules/library-win32': { version: '1.0.0', integrity: 'sha512-y', optional: true },
};
const installed = {
  'packages/a': { version: '0.1.0' },
  'node_modules/@clone/a': link,
  'node_modules/library': library,
};

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'rollcall-install-'));
  mkdirSync(path.join(folder, 'node_modules'));
  writeJson('package-lock.json', { packages: locked });
});
afterEach(() => rmSync(folder, { recursive: true }));

const writeJson = (file, content) => writeFileSync(path.join(folder, file), JSON.stringify(content));
const writeInstalled = (packages) => writeJson('node_modules/.package-lock.json', { packages });

it('is not installed without a list of what npm installed', () => {
  expect(isInstalled(folder)).toBe(false);
});

it('is not installed without node_modules', () => {
  rmSync(path.join(folder, 'node_modules'), { recursive: true });
  expect(isInstalled(folder)).toBe(false);
});

it('accepts what npm installed by itself, without the packages of other platforms', () => {
  writeInstalled(installed);
  expect(isInstalled(folder)).toBe(true);
});

it.each([
  ['a missing package', { 'node_modules/@clone/a': link }],
  ['another version', { ...installed, 'node_modules/library': { ...library, version: '1.0.1' } }],
  ['another content', { ...installed, 'node_modules/library': { ...library, integrity: 'sha512-z' } }],
  ['a package that is no longer locked', { ...installed, 'node_modules/old': library }],
])('is not installed with %s', (_name, packages) => {
  writeInstalled(packages);
  expect(isInstalled(folder)).toBe(false);
});

it('notices a changed lock file', () => {
  writeInstalled(installed);
  expect(isInstalled(folder)).toBe(true);
  writeJson('package-lock.json', { packages: { ...locked, 'node_modules/added': library } });
  expect(isInstalled(folder)).toBe(false);
});

it('stays installed when only the time of the lock file changed', () => {
  writeInstalled(installed);
  expect(isInstalled(folder)).toBe(true);
  utimesSync(path.join(folder, 'package-lock.json'), 1, 1);
  expect(isInstalled(folder)).toBe(true);
});

it('is not installed when the stamp is another platform’s', () => {
  writeInstalled(installed);
  writeFileSync(path.join(folder, 'node_modules', '.rollcall-install'), 'plan9-mips 1 1\n');
  expect(isInstalled(folder)).toBe(false);
});
