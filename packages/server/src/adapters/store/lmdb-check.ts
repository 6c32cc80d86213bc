// Finds out whether LMDB files can be opened, by opening them in a process of its own. LMDB maps its file into memory and
// trusts it: most damage (a cut file, foreign bytes, a broken page) ends the process with SIGSEGV, SIGBUS or an assertion
// instead of an error. Tried with 38 kinds of damage; only the meta pages alone with all else overwritten gave an error.

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { LMDB_OPTIONS } from './lmdb-options.js';

/** What the check found. `unsure`: it could not run to its end for a reason that says nothing of the files. */
export type LmdbVerdict =
  | { readonly state: 'sound' }
  | { readonly state: 'damaged'; readonly reason: string }
  | { readonly state: 'unsure'; readonly reason: string };

/** Longest check; a store of a million records takes some seconds. */
const CHECK_MS_MAX = 60_000;
const FATAL_SIGNALS: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);
const EXIT_DAMAGED = 3;

/**
 * Reads every record, counts them (a broken inner page hides records without any error), and begins a write that it
 * gives up, which reads the list of free pages. Errors of LMDB's own have codes between -30800 and -30700; -30794 is a
 * file of another LMDB version and left to the real opening, as are the errors of the operating system.
 * It is text because the same code must run from the sources and from the build.
 */
const SCRIPT = `
const [lmdbPath, path, options] = process.argv.slice(1);
const { open, ABORT } = require(lmdbPath);
try {
  const db = open({ path, ...JSON.parse(options) });
  let count = 0;
  for (const { value } of db.getRange({})) count += value.length >= 0 ? 1 : 0;
  const expected = db.getStats().entryCount;
  if (count !== expected) {
    process.stdout.write(count + ' of ' + expected + ' records can be reached');
    process.exit(${EXIT_DAMAGED});
  }
  db.transactionSync(() => { db.put(Buffer.from('check'), Buffer.alloc(16384)); return ABORT; });
  process.exit(0);
} catch (error) {
  process.stdout.write(String(error.message));
  const damaged = error.code > -30800 && error.code < -30700 && error.code !== -30794;
  process.exit(damaged ? ${EXIT_DAMAGED} : 1);
}
`;

/** Checks the store in a directory; nobody may have it open. Takes about as long as starting Node.js twice. */
export function checkLmdb(path: string): Promise<LmdbVerdict> {
  const lmdbPath = createRequire(import.meta.url).resolve('lmdb');
  const args = ['-e', SCRIPT, lmdbPath, path, JSON.stringify(LMDB_OPTIONS)];
  // Options meant for the server (a debugger's port, say) would stop or confuse the check.
  const env = { ...process.env, NODE_OPTIONS: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: CHECK_MS_MAX, killSignal: 'SIGKILL' }, (error, output) => {
      resolve(error === null ? { state: 'sound' } : verdictOf(error, output));
    });
  });
}

function verdictOf(
  error: { readonly code?: unknown; readonly signal?: string | null | undefined; readonly message: string },
  output: string,
): LmdbVerdict {
  if (typeof error.signal === 'string') {
    const reason = `reading it ended with ${error.signal}`;
    return FATAL_SIGNALS.has(error.signal) ? { state: 'damaged', reason } : { state: 'unsure', reason };
  }
  if (error.code === EXIT_DAMAGED) return { state: 'damaged', reason: output };
  return { state: 'unsure', reason: output === '' ? error.message : output };
}
