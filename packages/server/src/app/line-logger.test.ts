// What a line is, and which lines are written.

import { expect, it } from 'vitest';
import { lineLogger } from './line-logger.js';

const AT = Date.UTC(2026, 0, 1);

function loggerWithLines(threshold: Parameters<typeof lineLogger>[0]) {
  const lines: string[] = [];
  return {
    lines,
    logger: lineLogger(
      threshold,
      (line) => void lines.push(line),
      () => AT,
    ),
  };
}

it('writes one JSON object per line, level, time and event first', () => {
  const { lines, logger } = loggerWithLines('info');
  logger.log('info', 'port-taken', { port: 8848, name: 'a\n"b"', absent: undefined, ok: true });
  logger.log('warn', 'alone');
  logger.log('warn', 'nothing-defined', { absent: undefined });
  expect(lines).toEqual([
    '{"level":"info","time":"2026-01-01T00:00:00.000Z","event":"port-taken","port":8848,"name":"a\\n\\"b\\"","ok":true}\n',
    '{"level":"warn","time":"2026-01-01T00:00:00.000Z","event":"alone"}\n',
    '{"level":"warn","time":"2026-01-01T00:00:00.000Z","event":"nothing-defined"}\n',
  ]);
});

it.each([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['error', ['error']],
  ['off', []],
] as const)('writes from %s on %j', (threshold, written) => {
  const { lines, logger } = loggerWithLines(threshold);
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    expect(logger.isEnabled(level)).toBe((written as readonly string[]).includes(level));
    logger.log(level, 'x');
  }
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(written);
});
