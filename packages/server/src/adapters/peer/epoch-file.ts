// The number of this node's run, kept in the data directory: each run must have a greater one than all before it.

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { integerShape, objectShape } from './json-shape.js';

const shape = objectShape({ epoch: integerShape(1) });

/** The file. */
export class EpochFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The number of the last run that was written; 0 when there is none, or none that can be read: peers know better then. */
  read(): number {
    try {
      return shape(JSON.parse(readFileSync(this.#path, 'utf8')), 'epoch file').epoch;
    } catch {
      return 0;
    }
  }

  /** Writes the number of this run, and returns when it is on disk. @throws the file system's error */
  write(epoch: number): void {
    const temporary = `${this.#path}.tmp`;
    const file = openSync(temporary, 'w', 0o640);
    try {
      writeSync(file, `${JSON.stringify({ epoch })}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, this.#path);
  }
}
