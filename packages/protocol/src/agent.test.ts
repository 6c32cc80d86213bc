import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  agentText,
  DEFAULT_PUSH_THRESHOLDS,
  groupedNames,
  parseAgent,
  parseVersion,
  pushAllowed,
  pushThresholds,
  strictUpdate,
} from './agent.js';

describe('parseAgent', () => {
  test.each([
    ['Nacos-Java-Client:v1.4.8', 'java', [1, 4, 8]],
    ['Nacos-Java-Client:v1.0.0', 'java', [1, 0, 0]],
    ['Nacos-Java-Client', 'java', [0, 0, 0]],
    ['Nacos-Java-Client:v', 'java', [0, 0, 0]],
    ['Nacos-Java-Client:v1', 'java', [0, 0, 0]],
    ['Nacos-Java-Client:v2.0.0-ALPHA.1', 'java', [2, 0, 0]],
    ['Nacos-Go-Client:v1.0.1', 'go', [1, 0, 1]],
    ['Nacos-CSharp-Client:v0.9.0', 'csharp', [0, 9, 0]],
    ['Nacos-C-Client:v1.0.12', 'c', [1, 0, 12]],
    ['vip-client4cpp:v1.0.12', 'c', [1, 0, 12]],
    ['Nacos-DNS:v0.4.3', 'dns', [0, 4, 3]],
    ['Nacos-SDK-Java:v1.0.0', 'java-sdk', [1, 0, 0]],
    ['Nacos-Server:1.4.8', 'server', [0, 0, 0]],
    ['unit-nginx:v1.2.3', 'tengine', [1, 2, 3]],
    ['Nacos-Python-Client:v0.1.5', 'unknown', [0, 0, 0]],
    ['nacos-java-client:v1.4.8', 'unknown', [0, 0, 0]],
    ['curl/8.0', 'unknown', [0, 0, 0]],
    ['', 'unknown', [0, 0, 0]],
  ] as const)('%j is %s %j', (text, type, version) => {
    expect(parseAgent(text)).toEqual({ type, version, text });
  });

  test('reads any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const agent = parseAgent(`Nacos-Java-Client:v${text}`);
        expect(agent.type).toBe('java');
        expect(agent.version.every((part) => Number.isSafeInteger(part) && part >= 0)).toBe(true);
      }),
    );
  });
});

test('Client-Version counts when User-Agent is missing or empty', () => {
  expect(agentText('curl', 'Nacos-Java-Client:v1.4.8')).toBe('curl');
  expect(agentText('', 'Nacos-Java-Client:v1.4.8')).toBe('Nacos-Java-Client:v1.4.8');
  expect(agentText(undefined, undefined)).toBe('');
});

test.each([
  ['Nacos-Java-Client:v1.0.0', true],
  ['Nacos-Java-Client:v1.4.8', true],
  ['Nacos-Java-Client:v0.9.9', false],
  ['Nacos-Java-Client', false],
  ['Nacos-Go-Client:v2.3.5', false],
  ['curl', false],
])('%s: grouped names and strict updates %s', (text, modern) => {
  expect(groupedNames(parseAgent(text))).toBe(modern);
  expect(strictUpdate(parseAgent(text))).toBe(modern);
});

describe('pushAllowed', () => {
  test.each([
    ['Nacos-Java-Client:v0.1.0', true],
    ['Nacos-Java-Client:v0.0.9', false],
    ['Nacos-DNS:v0.4.3', true],
    ['Nacos-DNS:v0.4.2', false],
    ['Nacos-C-Client:v1.0.12', true],
    ['Nacos-C-Client:v1.0.2', false],
    ['Nacos-Go-Client:v0.1.0', true],
    ['Nacos-CSharp-Client:v0.8.9', false],
    ['Nacos-SDK-Java:v9.9.9', false],
    ['Nacos-Server:v9.9.9', false],
    ['Nacos-Python-Client:v9.9.9', false],
  ])('%s: %s', (text, allowed) => {
    expect(pushAllowed(parseAgent(text), DEFAULT_PUSH_THRESHOLDS)).toBe(allowed);
  });

  test('thresholds come from the switches', () => {
    const thresholds = pushThresholds({
      pushJavaVersion: '1.0.0',
      pushPythonVersion: '0.4.3',
      pushCVersion: '1.0.12',
      pushGoVersion: '0.1.0',
      pushCSharpVersion: 'x',
    });
    expect(pushAllowed(parseAgent('Nacos-Java-Client:v0.9.0'), thresholds)).toBe(false);
    expect(pushAllowed(parseAgent('Nacos-CSharp-Client:v0.0.1'), thresholds)).toBe(true);
  });
});

test.each([
  ['1.2.3', [1, 2, 3]],
  ['1-2_3', [1, 2, 3]],
  ['1.2', [1, 2, 0]],
  ['1a.b2', [1, 0, 0]],
  ['7', [0, 0, 0]],
])('version %j is %j', (text, version) => {
  expect(parseVersion(text)).toEqual(version);
});
