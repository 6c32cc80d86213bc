// The directory of everything that a server keeps: made when missing, checked, and owned by one server at a time.
//   store/      durable records          ephemeral/  snapshot and journal          lock.<number>  the owner

import { mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { DirectoryLock, type DirectoryLockOptions } from './directory-lock.js';

/** A data directory that this process owns. */
export interface DataDirectory {
  /** Absolute path. */
  readonly path: string;
  /** Directory of the durable store. */
  readonly storePath: string;
  /** Directory of snapshot and journal. */
  readonly ephemeralPath: string;
  /** Gives the directory back; the last thing that a server does. Never throws. */
  release(): void;
}

/**
 * Creates the directory when it is missing, takes it, and so proves that it can be written.
 *
 * @param options - `path`: absolute, or from the working directory
 * @throws DataDirectoryError
 */
export async function openDataDirectory(options: DirectoryLockOptions): Promise<DataDirectory> {
  const path = resolve(options.path);
  try {
    mkdirSync(path, { recursive: true, mode: 0o750 });
    const lock = await DirectoryLock.acquire({ ...options, path });
    return {
      path,
      storePath: join(path, 'store'),
      ephemeralPath: join(path, 'ephemeral'),
      release: () => lock.release(),
    };
  } catch (error) {
    throw error instanceof DataDirectoryError ? error : unusable(path, error);
  }
}

function unusable(path: string, cause: unknown): DataDirectoryError {
  const found = cause instanceof Error ? cause.message : String(cause);
  const { username, uid } = userInfo();
  const message =
    `cannot use the data directory "${path}": found ${found}; allowed is a directory, existing or not, ` +
    `in which user "${username}" (uid ${uid}) may create files and links`;
  return new DataDirectoryError('data-dir-unusable', message, { cause });
}
