// The directory that holds everything which survives a restart, taken for this server alone.

import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Clock, systemClock, type Timers } from '@rollcall/runtime';
import type { Config } from './config-schema.js';
import { DirectoryLock } from './directory-lock.js';
import { StartError } from './start-error.js';

/** The directory while it is ours. */
export interface DataDirectory {
  /** Absolute. */
  readonly path: string;
  /** Place of the durable store. */
  readonly storePath: string;
  /** Place of the copy of a store that nodes share. */
  readonly storeCopyPath: string;
  /** Place of journal and snapshot. */
  readonly ephemeralPath: string;
  /** File with the number of this node's run in its cluster. */
  readonly epochPath: string;
  /** Place of the history. */
  readonly ledgerPath: string;
  /** Gives it back. */
  release(): void;
}

/** The absolute path that a configuration means. */
export function dataDirectoryPath({ dataDir, port }: Pick<Config, 'dataDir' | 'port'>): string {
  const withPort = dataDir.replaceAll('{port}', String(port));
  return resolve(withPort.startsWith('~/') ? join(homedir(), withPort.slice(2)) : withPort);
}

/**
 * Creates the directory when it is missing and takes it.
 *
 * @throws StartError `data-dir-locked` or `data-dir-unusable`
 */
export async function openDataDirectory(
  path: string,
  timers: Timers,
  clock: Clock = systemClock,
): Promise<DataDirectory> {
  let lock: DirectoryLock;
  try {
    mkdirSync(path, { recursive: true, mode: 0o750 });
    lock = await DirectoryLock.acquire({ path, clock, timers });
  } catch (error) {
    throw error instanceof StartError ? error : unusable(path, error);
  }
  return {
    path,
    storePath: join(path, 'store'),
    storeCopyPath: join(path, 'store-copy'),
    ephemeralPath: join(path, 'ephemeral'),
    epochPath: join(path, 'cluster-run.json'),
    ledgerPath: join(path, 'ledger'),
    release: () => lock.release(),
  };
}

/** The refusal to work in a directory. @param cause - what the system or the store said */
export function unusable(path: string, cause: unknown): StartError {
  const found = cause instanceof Error ? cause.message : String(cause);
  return new StartError(
    'data-dir-unusable',
    `Cannot use data directory "${path}": ${found}; allowed is a directory that this user may create, read and write, ` +
      'chosen with --data-dir or ROLLCALL_DATA_DIR',
    { cause },
  );
}
