// The log as one JSON object per line on standard output. The lines of one turn of the event loop become one write in the
// background; when nobody reads them the newest are dropped and counted, and the server goes on.

import type { Logger } from '@rollcall/runtime';
import sonicBoom from 'sonic-boom';
import { type LineWriter, type LogThreshold, lineLogger } from './line-logger.js';

/** Bytes of lines that may wait for a reader that does not read. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;

/** How long a flush waits for a reader that does not read, ms. */
const FLUSH_MS_MAX = 1000;

/** Characters that a turn keeps back; a turn that brings more writes in between. */
const TURN_LENGTH_MAX = 64 * 1024;

/** A logger on a file descriptor. */
export class JsonLog {
  readonly logger: Logger;
  readonly #stream: sonicBoom.SonicBoom;
  #turn = '';
  #dropped = 0;
  /** Whether something was written that is not yet out. */
  #writing = false;

  constructor(options: { readonly fd: number; readonly level: LogThreshold }) {
    this.#stream = new sonicBoom.SonicBoom({ fd: options.fd, sync: false, maxLength: WAITING_BYTES_MAX });
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
      if (this.#turn === '') setImmediate(() => this.#endTurn());
      this.#turn += line;
      if (this.#turn.length > TURN_LENGTH_MAX) this.#endTurn();
    };
    this.logger = lineLogger(options.level, write);
  }

  /**
   * Resolves when everything is written, or when nobody has read for a second. Waits for a write under way, which lines
   * written past it would overtake.
   */
  async flush(): Promise<void> {
    this.#endTurn();
    if (!this.#writing) return;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, FLUSH_MS_MAX);
      this.#stream.once('drain', () => {
        clearTimeout(limit);
        resolve();
      });
    });
  }

  #endTurn(): void {
    const text = this.#turn;
    this.#turn = '';
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
