// Log lines for people: `[04:12:33.123] INFO: instance-registered service=DEFAULT_GROUP@@orders address=10.0.0.1:8080`.

import type { Logger } from '@rollcall/runtime';
import { prettyFactory } from 'pino-pretty';
import { type LogThreshold, lineLogger } from './line-logger.js';

// Printed by pino-pretty itself, or first in the line.
const OWN_MEMBERS = new Set(['time', 'level', 'event']);

/** A logger that prints each line at once. @param colors - whether level and event are coloured */
export function prettyLog(level: LogThreshold, colors: boolean): Logger {
  const print = prettyPrinter(colors);
  return lineLogger(level, (line) => void process.stdout.write(print(line)));
}

/** What turns a JSON line of the log into one for people. */
export function prettyPrinter(colors: boolean): (jsonLine: string) => string {
  const print = prettyFactory({
    colorize: colors,
    translateTime: 'SYS:HH:MM:ss.l',
    hideObject: true,
    messageFormat: (line) => lineText(line),
  });
  return (jsonLine) => print(jsonLine) ?? '';
}

function lineText(line: Record<string, unknown>): string {
  const fields = Object.entries(line)
    .filter(([name]) => !OWN_MEMBERS.has(name))
    .map(([name, value]) => `${name}=${fieldText(value)}`);
  return [line.event, ...fields].join(' ');
}

// Values of clients come through here: what could forge a line or move the cursor is printed as an escape.
function fieldText(value: unknown): string {
  const text = String(value);
  if (/^[\w.:/@#%+~*,-]+$/.test(text)) return text;
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
