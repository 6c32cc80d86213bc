// How a line looks on a terminal, and that no value can make a second one.

import { expect, it } from 'vitest';
import { prettyPrinter } from './pretty-log.js';

const TIME = '2026-11-30T04:00:00.000Z';

function printed(fields: Record<string, unknown>): string {
  return prettyPrinter(false)(JSON.stringify({ level: 'warn', time: TIME, event: 'port-taken', ...fields }));
}

it('prints event and fields in one line', () => {
  const line = printed({ address: '10.0.0.1:8080', service: 'DEFAULT_GROUP@@orders', count: 3, ok: true });
  expect(line).toMatch(/^\[\d\d:\d\d:\d\d\.000\] WARN: port-taken /);
  expect(line).toContain('address=10.0.0.1:8080 service=DEFAULT_GROUP@@orders count=3 ok=true\n');
});

it.each(['a\nb', 'a\r\nINFO: forged', '\u001b[2J', '\u009b31m', 'a\u2028b', 'a b', ''])(
  'prints %j as an escape',
  (value) => {
    const line = printed({ agent: value });
    expect(line.endsWith('\n')).toBe(true);
    expect(line.slice(0, -1)).toMatch(/^[\x20-\x7e]+$/);
    expect(line).toContain('agent="');
  },
);
