// Dependencies of a clone: whether node_modules is what package-lock.json says, and `npm ci` to make it so. A stamp in
// node_modules remembers the lock file's size and time of change, so that nothing has to be read when nothing changed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const machine = `${process.platform}-${process.arch}`;

/** Whether the dependencies are installed as locked; an installation made by npm itself counts, and is stamped. */
export function isInstalled(folder) {
  const stamped = readText(stampFile(folder));
  const stamp = stampOf(folder);
  if (stamped === stamp) return true;
  const isForeign = stamped !== undefined && !stamped.startsWith(`${machine} `);
  if (isForeign || !matchesInstalledList(folder)) return false;
  writeFileSync(stampFile(folder), stamp);
  return true;
}

/** Installs what the lock file says, development tools included; throws when npm fails. */
export function install(folder) {
  const [command, ...args] = [...npmCommand(), 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const shell = process.platform === 'win32' && command === 'npm';
  const result = spawnSync(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], shell });
  if (result.error) throw new Error(`"npm ci" could not be run: ${result.error.message}`);
  if (result.status !== 0) throw new Error(`"npm ci" failed in "${folder}" (exit code ${result.status}), see above`);
  writeFileSync(stampFile(folder), stampOf(folder));
}

// npm names itself to the scripts it runs; without npm around this, the one on the path is taken.
function npmCommand() {
  const around = process.env.npm_execpath;
  return around?.endsWith('npm-cli.js') ? [process.execPath, around] : ['npm'];
}

const lockFile = (folder) => path.join(folder, 'package-lock.json');
const stampFile = (folder) => path.join(folder, 'node_modules', '.rollcall-install');
const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

function stampOf(folder) {
  const { size, mtimeMs } = statSync(lockFile(folder));
  return `${machine} ${size} ${mtimeMs}\n`;
}

// npm lists what it installed in node_modules/.package-lock.json; packages for other platforms are missing there.
function matchesInstalledList(folder) {
  const listText = readText(path.join(folder, 'node_modules', '.package-lock.json'));
  if (listText === undefined) return false;
  const installed = JSON.parse(listText).packages;
  const locked = JSON.parse(readFileSync(lockFile(folder), 'utf8')).packages;
  const isKnown = Object.keys(installed).every((name) => locked[name] !== undefined);
  return isKnown && Object.entries(locked).every(([name, entry]) => isSatisfied(name, entry, installed[name]));
}

function isSatisfied(name, locked, installed) {
  const isWorkspaceItself = !name.includes('node_modules/');
  if (isWorkspaceItself) return true;
  if (installed === undefined) return locked.optional === true;
  return ['version', 'integrity', 'link'].every((field) => locked[field] === installed[field]);
}
