import { expect, test } from 'vitest';
import { healthCheckerJson, parseHealthChecker } from './health-checker.js';
import { DEFAULT_LIMITS } from './limits.js';
import { refusalOf } from './refusal.test-support.js';

const parse = (text: string) => parseHealthChecker(text, DEFAULT_LIMITS);

test.each([
  ['{"type":"TCP"}', '{"type":"TCP"}'],
  ['{"type":"NONE"}', '{"type":"NONE"}'],
  ['{"type":"FOO"}', '{"type":"NONE"}'],
  ['{"type":"http"}', '{"type":"NONE"}'],
  ['{}', '{"type":"NONE"}'],
  ['{"type":"HTTP"}', '{"type":"HTTP","path":"","headers":"","expectedResponseCode":200}'],
  [
    '{"type":"HTTP","path":"/h","headers":"a:b|c:d","expectedResponseCode":"204"}',
    '{"type":"HTTP","path":"/h","headers":"a:b|c:d","expectedResponseCode":204}',
  ],
  ['{"type":"MYSQL","user":"u","pwd":"p","cmd":"show"}', '{"type":"MYSQL","user":"u","pwd":"p","cmd":"show"}'],
  ['{"type":"MYSQL","user":null}', '{"type":"MYSQL","user":"","pwd":"","cmd":""}'],
])('%s is kept as %s', (text, json) => {
  expect(healthCheckerJson(parse(text))).toBe(json);
});

test.each([
  'junk',
  '[]',
  '"TCP"',
  'null',
  '',
  '{"type":"HTTP","path":1}',
  '{"type":"HTTP","expectedResponseCode":"x"}',
  `{"x":"${'y'.repeat(5000)}"}`,
])('%j is refused', (text) => {
  expect(refusalOf(() => parse(text))).toMatch(/^invalid-parameter: Param 'healthChecker' is illegal, .*allowed are/);
});
