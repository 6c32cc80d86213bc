// The compiled packages of a clone: whether `dist` was built from the sources as they are now, judged by names, sizes and
// times of change (a few milliseconds), and `tsc -b` and then the bundler for the command to make it so.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const testSource = /\.test(-support)?\.ts$/;
const bundlerConfig = 'rolldown.config.mjs';
const command = path.join('packages', 'cli', 'dist', 'program', 'main.cjs');

/** Whether every package is built from its sources as they are now. */
export function isBuilt(folder) {
  if (!existsSync(stampFile(folder))) return false;
  const isComplete = packagesOf(folder).every((name) => existsSync(path.join(name, 'dist', '.tsbuildinfo')));
  const isBundled = existsSync(path.join(folder, command));
  return isComplete && isBundled && readFileSync(stampFile(folder), 'utf8') === sourceState(folder);
}

/** Builds what is out of date; throws when the compiler or the bundler finds errors. */
export function build(folder) {
  // Taken before: a source that changes while the compiler runs is built again next time.
  const state = sourceState(folder);
  run(folder, 'compiler', ['typescript/bin/tsc', '-b'], 2);
  // It lists every file on its standard output; errors are on the other.
  run(folder, 'bundler', ['rolldown/bin/cli.mjs', '--config', bundlerConfig], 'ignore');
  writeFileSync(stampFile(folder), state);
}

function run(folder, name, [program, ...args], output) {
  const file = path.join(folder, 'node_modules', program);
  const result = spawnSync(process.execPath, [file, ...args], { cwd: folder, stdio: ['ignore', output, 2] });
  if (result.error) throw new Error(`The ${name} could not be run: ${result.error.message}`);
  if (result.status !== 0) throw new Error(`The build failed (exit code ${result.status} of the ${name}), see above`);
}

const stampFile = (folder) => path.join(folder, 'node_modules', '.rollcall-build');

function packagesOf(folder) {
  const packages = path.join(folder, 'packages');
  return readdirSync(packages)
    .map((name) => path.join(packages, name))
    .filter((name) => existsSync(path.join(name, 'tsconfig.json')));
}

function sourceState(folder) {
  const files = ['package-lock.json', 'tsconfig.json', 'tsconfig.base.json', bundlerConfig].map((name) =>
    path.join(folder, name),
  );
  for (const name of packagesOf(folder)) {
    files.push(path.join(name, 'package.json'), path.join(name, 'tsconfig.json'));
    addSources(path.join(name, 'src'), files);
  }
  return files.map((file) => stateOf(folder, file)).join('');
}

function addSources(folder, files) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) addSources(name, files);
    else if (name.endsWith('.ts') && !testSource.test(name)) files.push(name);
  }
}

function stateOf(folder, file) {
  const { size, mtimeMs } = statSync(file);
  return `${path.relative(folder, file)} ${size} ${mtimeMs}\n`;
}
