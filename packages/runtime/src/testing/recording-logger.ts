// A logger that keeps its lines for a test to look at.

import type { LogFields, Logger, LogLevel } from '../logger.js';

/** One line as it was logged. */
export interface LogLine {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
}

/** Logger for tests: all levels are on, nothing is written. */
export class RecordingLogger implements Logger {
  /** Lines so far, oldest first. */
  readonly lines: LogLine[] = [];

  isEnabled(): boolean {
    return true;
  }

  log(level: LogLevel, event: string, fields: LogFields = {}): void {
    this.lines.push({ level, event, fields });
  }

  /** The events logged so far, oldest first. */
  get events(): readonly string[] {
    return this.lines.map((line) => line.event);
  }
}
