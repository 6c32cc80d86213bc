// The log as one JSON object per line on standard output. Lines of some milliseconds become one write in the background,
// because a write costs as much as ten lines; when nobody reads them the newest are dropped and counted, and the server goes on.

import type { Logger } from '@rollcall/runtime';
import sonicBoom from 'sonic-boom';
import { type LineWriter, type LogThreshold, lineLogger } from './line-logger.js';

/** Bytes of lines that may wait for a reader that does not read. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;

/** How long a flush waits for a reader that does not read, ms. */
const FLUSH_MS_MAX = 1000;

/** How long lines are gathered, ms. So many are lost when the process is killed; an end that it notices writes them. */
const GATHER_MS = 10;

/** Characters gathered at most; more are written before the time is over. */
const GATHERED_LENGTH_MAX = 64 * 1024;

/** A logger on a file descriptor. */
export class JsonLog {
  readonly logger: Logger;
  readonly #stream: sonicBoom.SonicBoom;
  #gathered = '';
  #gathering: NodeJS.Timeout | undefined;
  #dropped = 0;
  /** Whether something was written that is not yet out. */
  #writing = false;

  constructor(options: { readonly fd: number; readonly level: LogThreshold }) {
    this.#stream = new sonicBoom.SonicBoom({
      fd: options.fd,
      sync: false,
      maxLength: WAITING_BYTES_MAX,
      maxWrite: GATHERED_LENGTH_MAX,
    });
    this.#stream.on('drop', (text: string) => {
      this.#dropped += text.split('\n').length - 1;
    });
    this.#stream.on('drain', () => {
      this.#writing = false;
      this.#reportDropped();
    });
    // Nobody reads any more, or the disk is full: the next line is tried again, and the server goes on.
    this.#stream.on('error', () => undefined);
    const write: LineWriter = (line) => {
      this.#gathering ??= setTimeout(() => this.#writeGathered(), GATHER_MS);
      this.#gathered += line;
      if (this.#gathered.length > GATHERED_LENGTH_MAX) this.#writeGathered();
    };
    this.logger = lineLogger(options.level, write);
  }

  /**
   * Resolves when everything is written, or when nobody has read for a second. Waits for a write under way, which lines
   * written past it would overtake.
   *
   * @returns whether everything is written; what is not keeps the process from ending by itself
   */
  async flush(): Promise<boolean> {
    this.#writeGathered();
    if (!this.#writing) return true;
    return new Promise((resolve) => {
      const limit = setTimeout(() => resolve(false), FLUSH_MS_MAX);
      this.#stream.once('drain', () => {
        clearTimeout(limit);
        resolve(true);
      });
    });
  }

  #writeGathered(): void {
    const text = this.#gathered;
    this.#gathered = '';
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (text === '') return;
    this.#writing = true;
    this.#stream.write(text);
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return;
    const lines = this.#dropped;
    this.#dropped = 0;
    this.logger.log('warn', 'log-lines-dropped', { lines });
  }
}
