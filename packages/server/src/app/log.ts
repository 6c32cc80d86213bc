// Opens the log on standard output, in the form that its reader wants. Each form is loaded only when it is used.

import type { Logger } from '@rollcall/runtime';
import type { LogThreshold } from './line-logger.js';

/** How lines look. */
export interface LogStyle {
  readonly level: LogThreshold;
  /** `json` for machines, `pretty` for people. */
  readonly format: 'json' | 'pretty';
  /** Whether pretty lines have colours. */
  readonly colors: boolean;
}

/** A logger with its end. */
export interface OpenedLog {
  readonly logger: Logger;
  /**
   * Resolves when what waits is written, a second at most; to be awaited last, also before a `process.exit`.
   *
   * @returns whether everything is written; false when nobody reads, and then the process does not end by itself
   */
  flush(): Promise<boolean>;
}

const STANDARD_OUTPUT = 1;

/** Opens the log. */
export async function openLog({ level, format, colors }: LogStyle): Promise<OpenedLog> {
  if (format === 'json') {
    const { JsonLog } = await import('./json-log.js');
    const log = new JsonLog({ fd: STANDARD_OUTPUT, level });
    return { logger: log.logger, flush: () => log.flush() };
  }
  const { prettyLog } = await import('./pretty-log.js');
  return { logger: prettyLog(level, colors), flush: async () => true };
}
