// Makes a clone ready to run: dependencies installed as locked, packages built. Does only what is missing or out of date,
// says each thing it does in one line, and costs a few milliseconds when nothing is to do. Plain Node, no dependencies,
// because it runs before there are any. Processes that start at once in one clone take turns (prepare-lock.mjs).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withPrepareLock } from './prepare-lock.mjs';

const nodeVersionMin = [20, 19];

/** Folder of the clone. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Installs and builds what is missing or out of date in the clone at `folder`; ends the process with a message when that fails. */
export async function prepare(folder = root) {
  requireNodeVersion();
  if (isInstalled(folder) && isBuilt(folder)) return;
  try {
    await withPrepareLock(path.join(folder, '.prepare.lock'), say, () => {
      if (!isInstalled(folder)) install(folder);
      if (!isBuilt(folder)) build(folder);
    });
  } catch (error) {
    fail(`The clone could not be prepared: ${error.message}`);
  }
}

function say(text) {
  process.stderr.write(`rollcall: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}

function requireNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [majorMin, minorMin] = nodeVersionMin;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return;
  fail(
    `Node ${process.versions.node} is too old, ${nodeVersionMin.join('.')} or newer is needed; see https://nodejs.org`,
  );
}

// Dependencies

const installStamp = (folder) => path.join(folder, 'node_modules', '.rollcall-install');
const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

function lockFingerprint(folder) {
  return `${process.platform}-${process.arch} ${sha256(readFileSync(path.join(folder, 'package-lock.json')))}\n`;
}

/** Whether node_modules holds what package-lock.json says. Also notices an installation made by npm itself, and stamps it. */
function isInstalled(folder) {
  const stamped = readText(installStamp(folder));
  if (stamped === undefined && !existsSync(path.join(folder, 'node_modules'))) return false;
  const fingerprint = lockFingerprint(folder);
  if (stamped === fingerprint) return true;
  if (!matchesInstalledList(folder)) return false;
  writeFileSync(installStamp(folder), fingerprint);
  return true;
}

// npm lists what it installed in node_modules/.package-lock.json; packages for other platforms are missing there.
function matchesInstalledList(folder) {
  const installedText = readText(path.join(folder, 'node_modules', '.package-lock.json'));
  if (installedText === undefined) return false;
  const installed = JSON.parse(installedText).packages;
  const locked = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
  const same = (a, b) => a.version === b.version && a.integrity === b.integrity && a.link === b.link;
  const surplus = Object.keys(installed).some((name) => locked[name] === undefined);
  if (surplus) return false;
  return Object.entries(locked).every(([name, entry]) => {
    if (name === '' || (!name.includes('node_modules/') && !entry.link)) return true;
    return installed[name] === undefined ? entry.optional === true : same(installed[name], entry);
  });
}

function install(folder) {
  say('installing dependencies as locked (npm ci) ...');
  // npm names itself to its scripts; without npm around this, the one on the path is taken.
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...args] = [...npm, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const shell = process.platform === 'win32' && command === 'npm';
  const result = spawnSync(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], shell });
  if (result.error) fail(`"npm ci" could not be run: ${result.error.message}`);
  if (result.status !== 0) fail(`"npm ci" failed in "${folder}" (exit code ${result.status}); its message is above`);
  writeFileSync(installStamp(folder), lockFingerprint(folder));
}

// Build

const buildStamp = (folder) => path.join(folder, 'node_modules', '.rollcall-build');
const isTest = (name) => name.endsWith('.test.ts') || name.endsWith('.test-support.ts');

/** Whether the packages are built from the sources as they are now, judged by names, sizes and times of change. */
function isBuilt(folder) {
  const names = packageNames(folder);
  const isComplete = names.every((name) => existsSync(path.join(folder, 'packages', name, 'dist', '.tsbuildinfo')));
  return isComplete && readText(buildStamp(folder)) === sourceFingerprint(folder);
}

function packageNames(folder) {
  const packages = path.join(folder, 'packages');
  return readdirSync(packages).filter((name) => existsSync(path.join(packages, name, 'tsconfig.json')));
}

function sourceFingerprint(folder) {
  const lines = [installStamp(folder), path.join(folder, 'tsconfig.json'), path.join(folder, 'tsconfig.base.json')].map(
    stateOf,
  );
  for (const name of packageNames(folder)) {
    const packageFolder = path.join(folder, 'packages', name);
    lines.push(stateOf(path.join(packageFolder, 'package.json')), stateOf(path.join(packageFolder, 'tsconfig.json')));
    addSources(path.join(packageFolder, 'src'), lines);
  }
  return sha256(lines.join('\n'));
}

function addSources(folder, lines) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) addSources(name, lines);
    else if (name.endsWith('.ts') && !isTest(name)) lines.push(stateOf(name));
  }
}

function stateOf(file) {
  const { size, mtimeMs } = statSync(file);
  return `${file} ${size} ${mtimeMs}`;
}

function build(folder) {
  say('building the packages (tsc -b) ...');
  // Taken before the build: a source that changes meanwhile is built again next time.
  const fingerprint = sourceFingerprint(folder);
  const compiler = path.join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = spawnSync(process.execPath, [compiler, '-b'], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (result.error) fail(`The compiler could not be run: ${result.error.message}`);
  if (result.status !== 0) fail(`The build failed (exit code ${result.status}); the compiler's messages are above`);
  mkdirSync(path.dirname(buildStamp(folder)), { recursive: true });
  writeFileSync(buildStamp(folder), fingerprint);
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await prepare();
