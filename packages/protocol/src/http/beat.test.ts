import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_METADATA } from '../instance.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { httpV1NameRules } from '../names.js';
import { refusalOf } from '../refusal.test-support.js';
import { RegistryError } from '../registry-error.js';
import { beatKnownAnswer, beatUnknownAnswer, readBeat } from './beat.js';
import { RULES, request } from './forms.test-support.js';

const beat = (values: Record<string, string>) => readBeat(request({ serviceName: 's', ...values }), RULES);
const full = (json: unknown, values: Record<string, string> = {}) => beat({ ...values, beat: JSON.stringify(json) });
const INSTANCE = { ip: '10.0.0.1', port: 8080 };

describe('light beat', () => {
  test.each([
    [
      { ip: '10.0.0.1', port: '8080' },
      { ip: '10.0.0.1', port: 8080, cluster: 'DEFAULT' },
    ],
    [
      { ip: '10.0.0.1', port: '8080', clusterName: 'X' },
      { ip: '10.0.0.1', port: 8080, cluster: 'X' },
    ],
    [{ ip: '10.0.0.1' }, { ip: '10.0.0.1', port: 0, cluster: 'DEFAULT' }],
    [{}, { ip: '', port: 0, cluster: 'DEFAULT' }],
    [
      { beat: 'null', ip: '1' },
      { ip: '1', port: 0, cluster: 'DEFAULT' },
    ],
    [{ beat: ' ' }, { ip: '', port: 0, cluster: 'DEFAULT' }],
  ])('%j', (values, address) => {
    expect(beat(values)).toMatchObject({ type: 'light', address });
  });
});

describe('full beat', () => {
  test('carries the instance', () => {
    expect(
      full({
        ...INSTANCE,
        cluster: 'c1',
        weight: 7,
        metadata: { v: '1', n: 2 },
        scheduled: false,
        serviceName: 'other',
      }),
    ).toEqual({
      type: 'full',
      service: expect.objectContaining({ id: 'public##DEFAULT_GROUP@@s' }),
      kind: 'ephemeral',
      address: { ip: '10.0.0.1', port: 8080, cluster: 'c1' },
      content: {
        weight: 7,
        enabled: true,
        healthy: true,
        metadata: new Map([
          ['v', '1'],
          ['n', '2'],
        ]),
        app: undefined,
      },
    });
  });

  test('what is missing has the zero of a Java field', () => {
    expect(full(INSTANCE)).toMatchObject({ content: { weight: 0, metadata: NO_METADATA }, kind: 'ephemeral' });
  });

  test.each([
    ['the JSON cluster wins', { ...INSTANCE, cluster: 'C1' }, { clusterName: 'C2' }, 'C1'],
    ['a missing one gives way', INSTANCE, { clusterName: 'C2' }, 'C2'],
    ['an empty one gives way', { ...INSTANCE, cluster: '' }, { clusterName: 'C2' }, 'C2'],
    ['null gives way', { ...INSTANCE, cluster: null }, {}, 'DEFAULT'],
  ])('cluster: %s', (_title, json, values, cluster) => {
    expect(full(json, values as Record<string, string>).address.cluster).toBe(cluster);
  });

  test('ip and port of the JSON replace the parameters', () => {
    expect(full(INSTANCE, { ip: '10.0.0.9', port: '1' }).address).toEqual({
      ip: '10.0.0.1',
      port: 8080,
      cluster: 'DEFAULT',
    });
    expect(full({ ip: '10.0.0.1' }, { port: '1' }).address.port).toBe(0);
  });

  test('numbers may be texts, and weights are brought into range', () => {
    expect(full({ ip: '1', port: '8080', weight: '3.5' })).toMatchObject({
      address: { port: 8080 },
      content: { weight: 3.5 },
    });
    expect(full({ ...INSTANCE, weight: 20000 })).toMatchObject({ content: { weight: 10000 } });
    expect(full({ ...INSTANCE, weight: -3 })).toMatchObject({ content: { weight: 0 } });
  });

  test.each([
    [true, 'ephemeral'],
    ['true', 'ephemeral'],
    [null, 'ephemeral'],
    [false, 'persistent'],
    ['false', 'persistent'],
  ])('ephemeral %j is %s', (ephemeral, kind) => {
    expect(full({ ...INSTANCE, ephemeral })).toMatchObject({ kind });
  });

  test('null entries are left out, and __proto__ is a key like others', () => {
    const read = beat({ beat: '{"ip":"1","port":1,"metadata":{"a":null,"__proto__":"x"}}' });
    expect(read).toMatchObject({ content: { metadata: new Map([['__proto__', 'x']]) } });
  });

  test.each([
    ['{bad', 'malformed-request'],
    ['[]', 'malformed-request'],
    ['1', 'malformed-request'],
    ['{"ip":{},"port":1}', 'malformed-request'],
    ['{"ip":"1","port":1,"metadata":[]}', 'malformed-request'],
    ['{"ip":"1","port":1,"metadata":{"a":{"b":1}}}', 'malformed-request'],
    ['{"ip":"1","port":1,"weight":"x"}', 'malformed-request'],
    ['{"ip":"1","port":70000}', "invalid-parameter: Param 'port' is illegal, the value should be between 0 and 65535."],
    ['{"ip":"1","port":1.5}', "invalid-parameter: Param 'port' is illegal, the value should be between 0 and 65535."],
    ['{}', "missing-parameter: Param 'ip' is required."],
    ['{"ip":" ","port":1}', "missing-parameter: Param 'ip' is required."],
    [
      '{"ip":"1","port":1,"cluster":"a_b"}',
      'invalid-parameter: cluster name can only have these characters: 0-9a-zA-Z-, current: a_b',
    ],
  ])('%s is refused', (json, refusal) => {
    expect(refusalOf(() => beat({ beat: json }))).toContain(refusal);
  });

  test('metadata has the limits of a registration', () => {
    const rules = { names: httpV1NameRules(DEFAULT_LIMITS), limits: { ...DEFAULT_LIMITS, metadataBytes: 3 } };
    const json = JSON.stringify({ ...INSTANCE, metadata: { a: '123' } });
    expect(refusalOf(() => readBeat(request({ serviceName: 's', beat: json }), rules))).toContain(
      'found 4 bytes of keys and values, allowed are 3',
    );
  });

  test('any JSON gives a beat or a refusal', () => {
    const member = fc.constantFrom('ip', 'port', 'cluster', 'weight', 'metadata', 'ephemeral');
    fc.assert(
      fc.property(fc.dictionary(member, fc.jsonValue()), (json) => {
        try {
          expect(full(json).type).toBe('full');
        } catch (error) {
          expect(error).toBeInstanceOf(RegistryError);
        }
      }),
    );
  });
});

test.each([
  [{ beat: '{bad', port: 'x' }, "Param 'beat' is illegal"],
  [{ port: 'x' }, "Param 'port' is illegal"],
])('order of checks: %j', (values, text) => {
  expect(refusalOf(() => readBeat(request(values as Record<string, string>), RULES))).toContain(text);
});

test('a beat without service name is refused', () => {
  expect(refusalOf(() => readBeat(request({ ip: '1' }), RULES))).toBe(
    "missing-parameter: Param 'serviceName' is required.",
  );
});

test.each([
  [beatKnownAnswer(5000, { lightBeats: true }), '{"clientBeatInterval":5000,"code":10200,"lightBeatEnabled":true}'],
  [beatKnownAnswer(1000, { lightBeats: true }), '{"clientBeatInterval":1000,"code":10200,"lightBeatEnabled":true}'],
  [beatKnownAnswer(5000, { lightBeats: false }), '{"clientBeatInterval":5000,"code":10200,"lightBeatEnabled":false}'],
  [beatUnknownAnswer(5000), '{"clientBeatInterval":5000,"code":20404}'],
  [beatUnknownAnswer(8000), '{"clientBeatInterval":8000,"code":20404}'],
])('answer %s', (answer, expected) => {
  expect(answer).toBe(expected);
});
