// Makes log lines: one JSON object with level, time and event first, then the fields. Written by hand because a line per
// registration costs a third of what a logging library takes for it, and we log flat fields only.

import { LOG_LEVELS, type LogFields, type Logger, type LogLevel } from '@rollcall/runtime';

/** Least severe level that is written, or nothing at all. */
export type LogThreshold = LogLevel | 'off';

/** Takes a line with its line feed. */
export type LineWriter = (line: string) => void;

/** A logger that hands its lines to a writer. @param nowMs - epoch ms; the system's clock by default */
export function lineLogger(threshold: LogThreshold, write: LineWriter, nowMs: () => number = Date.now): Logger {
  const enabled = new Set<LogLevel>(threshold === 'off' ? [] : LOG_LEVELS.slice(LOG_LEVELS.indexOf(threshold)));
  const time = new TimeText();
  return {
    isEnabled: (level) => enabled.has(level),
    log(level: LogLevel, event: string, fields?: LogFields) {
      if (!enabled.has(level)) return;
      const head = `{"level":"${level}","time":"${time.of(nowMs())}","event":${JSON.stringify(event)}`;
      const rest = fields === undefined ? '{}' : JSON.stringify(fields);
      write(rest === '{}' ? `${head}}\n` : `${head},${rest.slice(1)}\n`);
    },
  };
}

/** ISO texts of moments; many lines are of the same second. */
class TimeText {
  #second = Number.NaN;
  /** Up to the point before the milliseconds. */
  #text = '';

  of(ms: number): string {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(second * 1000).toISOString().slice(0, -4);
    }
    return `${this.#text}${String(ms - second * 1000).padStart(3, '0')}Z`;
  }
}
