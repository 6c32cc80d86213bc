// A file that is only written at its end.

import { closeSync, openSync, writeSync } from 'node:fs';

/** A new file, open for appending. */
export interface AppendFile {
  readonly path: string;
  /** Writes all bytes. They are with the operating system then, not necessarily on disk. @throws when not all were taken */
  append(bytes: Uint8Array): void;
  /** Gives the file back; never throws. */
  close(): void;
}

/** Makes an {@link AppendFile}; tests put in one that fails. */
export type OpenAppendFile = (path: string) => AppendFile;

/** Creates a file for appending. @throws when it exists or can't be created */
export function openAppendFile(path: string): AppendFile {
  const file = openSync(path, 'wx', 0o640);
  return {
    path,
    append(bytes) {
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    },
    close() {
      try {
        closeSync(file);
      } catch {
        // What a failing close could tell, the writes before it have told.
      }
    },
  };
}
