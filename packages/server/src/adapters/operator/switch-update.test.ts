// Values of switches: what each entry takes, what it refuses and in which words.

import { RegistryError } from '@rollcall/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SWITCHES, type Switches } from '../../core/switches.js';
import { switchUpdate } from './switch-update.js';
import { switchesJson } from './switches-json.js';

const ONE_IN_FORCE: Switches = { ...DEFAULT_SWITCHES, clientBeatInterval: 7000 };

function refusal(entry: string, value: string): string {
  try {
    switchUpdate(DEFAULT_SWITCHES, entry, value);
  } catch (error) {
    expect(error).toBeInstanceOf(RegistryError);
    expect((error as RegistryError).code).toBe('invalid-parameter');
    return (error as RegistryError).message;
  }
  throw new Error(`"${entry}" took "${value}"`);
}

describe('an entry sets its member and no other', () => {
  it.each<[string, string, Partial<Switches>]>([
    ['clientBeatInterval', '8000', { clientBeatInterval: 8000 }],
    ['clientBeatInterval', '100', { clientBeatInterval: 100 }],
    ['lightBeatEnabled', 'no', { lightBeatEnabled: false }],
    ['lightBeatEnabled', 'Y', { lightBeatEnabled: true }],
    ['pushEnabled', 'FALSE', { pushEnabled: false }],
    ['pushEnabled', 'yes', { pushEnabled: true }],
    ['pushCacheMillis', '10000', { defaultPushCacheMillis: 10_000 }],
    ['pushCacheMillis', '+20000', { defaultPushCacheMillis: 20_000 }],
    ['defaultCacheMillis', '1000', { defaultCacheMillis: 1000 }],
    ['check', 'false', { healthCheckEnabled: false }],
    ['healthCheckTimes', '1', { checkTimes: 1 }],
    ['distro', 'false', { distroEnabled: false }],
    ['distroThreshold', '0.5f', { distroThreshold: 0.5 }],
    ['distroServerExpiredMillis', '-5', { distroServerExpiredMillis: -5 }],
    ['serviceStatusSynchronizationPeriodMillis', '5000', { serviceStatusSynchronizationPeriodMillis: 5000 }],
    ['serverStatusSynchronizationPeriodMillis', '1000', { serverStatusSynchronizationPeriodMillis: 1000 }],
    ['defaultInstanceEphemeral', 'false', { defaultInstanceEphemeral: false }],
    ['overriddenServerStatus', 'DOWN', { overriddenServerStatus: 'DOWN' }],
    ['overriddenServerStatus', 'null', { overriddenServerStatus: null }],
    ['overriddenServerStatus', 'NULL', { overriddenServerStatus: null }],
    ['overriddenServerStatus', '', { overriddenServerStatus: null }],
    ['limitedUrlMap', '/a:418,/b?c=d:e:500', { limitedUrlMap: { '/a': 418, '/b?c=d:e': 500 } }],
    ['limitedUrlMap', '', { limitedUrlMap: {} }],
    ['masters', 'a,b', { masters: ['a', 'b'] }],
    ['masters', '', { masters: null }],
    ['disableAddIP', 'true', { disableAddIP: true }],
    ['sendBeatOnly', 'true', { sendBeatOnly: true }],
    ['autoChangeHealthCheckEnabled', 'on', { autoChangeHealthCheckEnabled: true }],
    ['enableStandalone', 'false', {}],
    ['enableStandalone', '', { enableStandalone: false }],
    ['pushVersion', 'java:1.2.3', { pushJavaVersion: '1.2.3' }],
    ['pushVersion', 'python:1.2.3', { pushPythonVersion: '1.2.3' }],
    ['pushVersion', 'c:1.2.3', { pushCVersion: '1.2.3' }],
    ['pushVersion', 'go:1.2.3', { pushGoVersion: '1.2.3' }],
    ['pushVersion', 'csharp:1.2.3', { pushCSharpVersion: '1.2.3' }],
  ])('%s=%s', (entry, value, changed) => {
    expect(switchUpdate(ONE_IN_FORCE, entry, value)).toEqual({ ...ONE_IN_FORCE, ...changed });
  });

  it.each(['noSuchSwitch', '', 'constructor', '__proto__', 'defaultPushCacheMillis', 'checkTimes', 'httpHealthParams'])(
    'an unknown one (%s) changes nothing',
    (entry) => expect(switchUpdate(ONE_IN_FORCE, entry, '1')).toBe(ONE_IN_FORCE),
  );
});

describe('a value that cannot be is refused in the words of Nacos', () => {
  it.each([
    ['clientBeatInterval', 'x', 'For input string: "x"'],
    ['clientBeatInterval', '', 'For input string: ""'],
    ['clientBeatInterval', '99', 'clientBeatInterval is too small(<100)'],
    ['clientBeatInterval', '2147483648', 'For input string: "2147483648"'],
    ['pushCacheMillis', '9999', 'min cache time for http or tcp is too small(<10000)'],
    ['defaultCacheMillis', '999', 'min default cache time  is too small(<1000)'],
    ['healthCheckTimes', '0', 'healthCheckTimes is too small(<1)'],
    ['distroThreshold', '0', 'distroThreshold can not be zero or negative: 0.0'],
    ['distroThreshold', '-1', 'distroThreshold can not be zero or negative: -1.0'],
    ['distroThreshold', 'NaN', 'distroThreshold can not be zero or negative: NaN'],
    ['distroThreshold', 'x', 'For input string: "x"'],
    [
      'serviceStatusSynchronizationPeriodMillis',
      '4999',
      'serviceStatusSynchronizationPeriodMillis is too small(<5000)',
    ],
    ['serverStatusSynchronizationPeriodMillis', '999', 'serverStatusSynchronizationPeriodMillis is too small(<15000)'],
    ['pushVersion', 'java:1.x', 'illegal version, must match: [0-9]+\\.[0-9]+\\.[0-9]+'],
    ['pushVersion', 'java:1.2.3\n', 'illegal version, must match: [0-9]+\\.[0-9]+\\.[0-9]+'],
    ['pushVersion', 'rust:1.0.0', 'unsupported client type: rust'],
    ['pushVersion', 'constructor:1.0.0', 'unsupported client type: constructor'],
    ['limitedUrlMap', 'x', 'invalid input for limited urls'],
    ['limitedUrlMap', '/a:418,', 'invalid input for limited urls'],
    ['limitedUrlMap', ':418', 'url can not be empty, url: '],
    ['limitedUrlMap', '/a:0', 'illegal normal status code: 0'],
    ['limitedUrlMap', '/a:100', 'illegal normal status code: 100'],
    ['limitedUrlMap', '/a:600', 'illegal normal status code: 600'],
    ['limitedUrlMap', '/a:x', 'For input string: "x"'],
  ])('%s=%s', (entry, value, message) => expect(refusal(entry, value)).toBe(message));

  it.each(['1.0.0', 'java'])('pushVersion without a type or version (%s) says what is allowed', (value) =>
    expect(refusal('pushVersion', value)).toContain(`found "${value}", allowed are a client type and a version`),
  );

  it.each(['maybe', '', 'flase'])('a switch is on or off, and %s is neither', (value) =>
    expect(refusal('pushEnabled', value)).toContain(`found "${value}", allowed are true, on, yes, y, t, 1, false, off`),
  );

  it.each(['down', 'up', 'x'])('a status that there is not (%s), which stops the status of 1.4.8 for good', (value) =>
    expect(refusal('overriddenServerStatus', value)).toContain('allowed are STARTING, UP, DOWN, PAUSED'),
  );
});

describe('batch', () => {
  const batch = (json: object) => switchUpdate(ONE_IN_FORCE, 'batch', JSON.stringify(json));

  it('takes what GET shows', () => {
    const all: Switches = {
      ...DEFAULT_SWITCHES,
      clientBeatInterval: 6000,
      limitedUrlMap: { '/x': 404 },
      masters: ['m'],
      overriddenServerStatus: 'READ_ONLY',
      tcpHealthParams: { max: 4000, min: 600, factor: 0.5 },
      pushJavaVersion: '2.0.0',
      checkTimes: 5,
    };
    expect(switchUpdate(DEFAULT_SWITCHES, 'batch', switchesJson(all, '2.x'))).toEqual(all);
  });

  it('sets what is missing to its default, which ends what was set before', () => {
    expect(batch({ checkTimes: 4 })).toEqual({ ...DEFAULT_SWITCHES, checkTimes: 4 });
    expect(batch({ checkTimes: null })).toEqual(DEFAULT_SWITCHES);
  });

  it('leaves two members alone, as 1.4.8 does', () => {
    const before = { ...DEFAULT_SWITCHES, enableStandalone: false, pushCSharpVersion: '3.0.0' };
    const after = switchUpdate(before, 'batch', '{"enableStandalone":true,"pushCSharpVersion":"9.9.9","unknown":1}');
    expect(after).toEqual(before);
  });

  it('reads texts where numbers belong, as the JSON library of Nacos does', () => {
    expect(batch({ clientBeatInterval: '9000', pushEnabled: 'false' })).toMatchObject({
      clientBeatInterval: 9000,
      pushEnabled: false,
    });
  });

  it.each([
    [{ httpHealthParams: { min: 499 } }, 'min check time for http or tcp is too small(<500)'],
    [{ tcpHealthParams: { min: 499 } }, 'min check time for http or tcp is too small(<500)'],
    [{ tcpHealthParams: { max: 2999 } }, 'max check time for http or tcp is too small(<3000)'],
    [{ httpHealthParams: { factor: 1.1 } }, 'malformed factor'],
    [{ httpHealthParams: { factor: -0.1 } }, 'malformed factor'],
    [{ mysqlHealthParams: { min: 1 } }, 'min check time for mysql is too small(<500)'],
    [{ tcpHealthParams: { min: 6000 } }, 'min check time for http or tcp is above its max'],
    [{ defaultCacheMillis: 1 }, 'min default cache time  is too small(<1000)'],
    [{ limitedUrlMap: { '/a': 0 } }, 'illegal normal status code: 0'],
  ])('refuses %j', (json, message) => expect(refusal('batch', JSON.stringify(json))).toBe(message));

  it.each([
    'x',
    '',
    '[]',
    '1',
    'null',
    '{"httpHealthParams":1}',
    '{"httpHealthParams":{"min":"x"}}',
    '{"limitedUrlMap":[]}',
    '{"masters":"a"}',
    '{"checkTimes":{}}',
  ])('refuses %s and says what is allowed', (text) =>
    expect(refusal('batch', text)).toContain('allowed are JSON objects with switches, as GET shows them'),
  );
});

it('whatever is sent, the switches stay complete and readable', () => {
  const entries = [
    'batch',
    'limitedUrlMap',
    'masters',
    'clientBeatInterval',
    'distroThreshold',
    'pushVersion',
    'check',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...entries), fc.oneof(fc.string(), fc.json()), (entry, value) => {
      let after = DEFAULT_SWITCHES;
      try {
        after = switchUpdate(DEFAULT_SWITCHES, entry, value);
      } catch (error) {
        expect(error).toBeInstanceOf(RegistryError);
      }
      expect(Object.keys(after).sort()).toEqual(Object.keys(DEFAULT_SWITCHES).sort());
      const shown = switchesJson(after, '2.x');
      expect(switchesJson(switchUpdate(DEFAULT_SWITCHES, 'batch', shown), '2.x')).toBe(shown);
    }),
  );
});
