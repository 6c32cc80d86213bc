// The log on standard output: one JSON object per line for machines, `TIME LEVEL event key=value …` for people.
// Lines are written in the background; when nobody reads them the newest are dropped and counted, and the server goes on.

import type { LogFields, Logger, LogLevel } from '@rollcall/runtime';
import { type DestinationStream, type LoggerOptions, pino } from 'pino';
import type { Config } from './config-schema.js';

/** Bytes of lines that may wait for a reader that does not read. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** Lines are written together when this much waits, at the latest after {@link FLUSH_MS}. */
const WRITE_BYTES = 8 * 1024;
const FLUSH_MS = 50;

/** A logger with its end. */
export interface OpenedLog {
  readonly logger: Logger;
  /** Writes what waits; to be called last, also before a `process.exit`. */
  flush(): void;
}

/** How lines look. */
export interface LogStyle {
  readonly level: Config['logLevel'];
  /** `json` or `pretty`; `auto` must be decided by the caller, who knows whether there is a terminal. */
  readonly format: 'json' | 'pretty';
  /** Whether pretty lines have colours. */
  readonly colors: boolean;
}

const OPTIONS: LoggerOptions = {
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
};

/** Opens the log. The printer for people is loaded only when it is used. */
export async function openLog({ level, format, colors }: LogStyle): Promise<OpenedLog> {
  const options = { ...OPTIONS, level: level === 'off' ? 'silent' : level };
  if (format === 'json') return jsonLog(options);
  const { prettyStream } = await import('./pretty-log.js');
  return { logger: loggerOf(options, prettyStream(colors)), flush: () => undefined };
}

function jsonLog(options: LoggerOptions): OpenedLog {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: WRITE_BYTES,
    maxLength: WAITING_BYTES_MAX,
    periodicFlush: FLUSH_MS,
  });
  const logger = loggerOf(options, stream);
  let dropped = 0;
  stream.on('drop', () => {
    dropped += 1;
  });
  stream.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    logger.log('warn', 'log-lines-dropped', { lines });
  });
  return { logger, flush: () => stream.flushSync() };
}

function loggerOf(options: LoggerOptions, stream: DestinationStream): Logger {
  const lines = pino(options, stream);
  return {
    isEnabled: (level: LogLevel) => lines.isLevelEnabled(level),
    log: (level: LogLevel, event: string, fields?: LogFields) => lines[level]({ event, ...fields }),
  };
}
