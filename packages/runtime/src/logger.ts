// The log port: structured lines with stable event names. A line is written for a change of state, never per request.

/** Severity, least first. `debug` is for following one problem; a healthy server writes no `warn`. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** All levels, least severe first. */
export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** What a line says besides its event: ids, keys and counts, never credentials. Undefined fields are left out. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where lines go. */
export interface Logger {
  /** Whether lines of this level are written; saves building the fields of those that are not. */
  isEnabled(level: LogLevel): boolean;
  /**
   * Writes one line.
   *
   * @param event - stable name, kebab-case; scripts match it
   * @param fields - values of this line
   */
  log(level: LogLevel, event: string, fields?: LogFields): void;
}
