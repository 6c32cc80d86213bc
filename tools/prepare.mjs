// Makes a clone ready to run: dependencies installed as locked, packages built. Does only what is missing or out of date,
// says each thing it does in one line, and costs a few milliseconds when nothing is to do. Plain Node, no dependencies,
// because it runs before there are any. Processes that start at once in one clone take turns (prepare-lock.mjs).
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, isBuilt } from './build-packages.mjs';
import { install, isInstalled } from './install-packages.mjs';
import { withPrepareLock } from './prepare-lock.mjs';

const nodeVersionMin = [20, 19];

/** Folder of the clone. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Installs and builds what is missing or out of date; ends the process with a message when that fails. */
export async function prepare() {
  try {
    requireNodeVersion();
    if (isInstalled(root) && isBuilt(root)) return;
    await withPrepareLock(path.join(root, '.prepare.lock'), say, () => {
      if (!isInstalled(root)) {
        say('installing dependencies as locked (npm ci) ...');
        install(root);
      }
      if (!isBuilt(root)) {
        say('building the packages ...');
        build(root);
      }
    });
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}

function requireNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [majorMin, minorMin] = nodeVersionMin;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return;
  throw new Error(
    `Node ${process.versions.node} is too old: ${nodeVersionMin.join('.')} or newer is needed (https://nodejs.org)`,
  );
}

// On stderr, so that what a command prints can be piped.
function say(text) {
  process.stderr.write(`rollcall: ${text}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await prepare();
