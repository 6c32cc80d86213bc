import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from './limits.js';
import { checkPort, checkWeight, clampWeight, httpV1NameRules, paramCheckNameRules, portOf } from './names.js';
import { refusalOf } from './refusal.test-support.js';
import { serviceKey } from './service-key.js';

const v1 = httpV1NameRules(DEFAULT_LIMITS);
const modern = paramCheckNameRules(DEFAULT_LIMITS);
const characters = (parameter: string): string =>
  `invalid-parameter: Param '${parameter}' is illegal, illegal characters should not appear in the param.`;
const length = (parameter: string, max: number): string =>
  `invalid-parameter: Param '${parameter}' is illegal, the param length should not exceed ${max}.`;

describe('v1', () => {
  test.each(['s', 'a_b:c.d-1', 'a@s', 'providers:com.acme.x:1.0.0:grp', 's@@x', 'n'.repeat(512)])(
    'creates %j',
    (name) => {
      expect(() => v1.checkNewService(serviceKey('public', 'DEFAULT_GROUP', name))).not.toThrow();
    },
  );

  test.each(['服务', 'a b', 'a/b', 'a#b', 'a,b', 'a%b', '{"a"}', 'café', 'a\u2010b', 'a;b', 'a\nb'])(
    'reads but does not create %j',
    (name) => {
      const key = serviceKey('public', 'DEFAULT_GROUP', name);
      expect(() => v1.checkService(key)).not.toThrow();
      expect(refusalOf(() => v1.checkNewService(key))).toBe(
        `invalid-parameter: dom name can only have these characters: 0-9a-zA-Z-._:, current: DEFAULT_GROUP@@${name}`,
      );
    },
  );

  test('a group is part of the checked name', () => {
    expect(refusalOf(() => v1.checkNewService(serviceKey('public', 'g/1', 's')))).toContain('current: g/1@@s');
  });

  test.each([
    ['/x', characters('namespaceId/tenant')],
    ['a b', characters('namespaceId/tenant')],
    ['空间', characters('namespaceId/tenant')],
    ['n'.repeat(65), length('namespaceId/tenant', 64)],
  ])('namespace %j is refused for reads too', (namespace, refusal) => {
    expect(refusalOf(() => v1.checkService(serviceKey(namespace, 'g', 's')))).toBe(refusal);
  });

  test('lengths are those of 2.x', () => {
    expect(refusalOf(() => v1.checkService(serviceKey('public', 'g'.repeat(129), 's')))).toBe(length('group', 128));
    expect(refusalOf(() => v1.checkService(serviceKey('public', 'g', 's'.repeat(513))))).toBe(
      length('serviceName', 512),
    );
    expect(() => v1.checkService(serviceKey('n'.repeat(64), 'g'.repeat(128), 's'))).not.toThrow();
  });

  test.each([
    ['a_b', 'invalid-parameter: cluster name can only have these characters: 0-9a-zA-Z-, current: a_b'],
    ['c1,c2', 'invalid-parameter: cluster name can only have these characters: 0-9a-zA-Z-, current: c1,c2'],
    ['集群', 'invalid-parameter: cluster name can only have these characters: 0-9a-zA-Z-, current: 集群'],
    ['', 'invalid-parameter: cluster name can only have these characters: 0-9a-zA-Z-, current: '],
    ['c'.repeat(65), length('cluster', 64)],
  ])('cluster %j is refused', (cluster, refusal) => {
    expect(refusalOf(() => v1.checkNewCluster(cluster))).toBe(refusal);
  });

  test('clusters that are only asked for may have any name', () => {
    expect(() => v1.checkQueriedCluster(' a b,集')).not.toThrow();
    expect(() => v1.checkNewCluster('c'.repeat(64))).not.toThrow();
  });

  test.each(['10.0.0.1', '', 'host-1.example', '[2001:db8::2]', 'fe80::1%eth0', 'a#b', '999.1'])(
    'address %j passes',
    (ip) => {
      expect(() => v1.checkIp(ip)).not.toThrow();
    },
  );

  test.each([
    ['a b', characters('ip')],
    ['地址', characters('ip')],
    ['a\u0000', characters('ip')],
    ['a'.repeat(129), length('ip', 128)],
  ])('address %j is refused', (ip, refusal) => {
    expect(refusalOf(() => v1.checkIp(ip))).toBe(refusal);
  });

  test('only the length of an application counts', () => {
    expect(() => v1.checkApp('a b/商店')).not.toThrow();
    expect(refusalOf(() => v1.checkApp('a'.repeat(257)))).toBe(length('app', 256));
  });
});

describe('2.x', () => {
  test.each(['s', 'a/b', 'a,b#c%d', 'ä', 'a@b', 'a:b.c'])('takes the name %j', (name) => {
    expect(() => modern.checkNewService(serviceKey('public', 'DEFAULT_GROUP', name))).not.toThrow();
  });

  test.each(['@s', 'a@@b', 'a b', '服务', 'a\tb', '', 'a\u0007'])(
    'refuses the name %j, reading or creating',
    (name) => {
      const key = serviceKey('public', 'DEFAULT_GROUP', name);
      expect(refusalOf(() => modern.checkService(key))).toBe(characters('serviceName'));
      expect(refusalOf(() => modern.checkNewService(key))).toBe(characters('serviceName'));
    },
  );

  test.each([
    ['a:b.c-d_e', undefined],
    ['g/1', characters('group')],
    ['a@b', characters('group')],
    ['中文', characters('group')],
    ['g'.repeat(129), length('group', 128)],
  ])('group %j', (group, refusal) => {
    const check = (): void => modern.checkService(serviceKey('public', group, 's'));
    if (refusal === undefined) expect(check).not.toThrow();
    else expect(refusalOf(check)).toBe(refusal);
  });

  test('an underscore passes in a question, not in a registration', () => {
    expect(() => modern.checkQueriedCluster('a_b')).not.toThrow();
    expect(refusalOf(() => modern.checkNewCluster('a_b'))).toBe(characters('cluster'));
    expect(refusalOf(() => modern.checkQueriedCluster('a,b'))).toBe(characters('cluster'));
  });

  test('limits can be raised', () => {
    const wide = paramCheckNameRules({ ...DEFAULT_LIMITS, ipLength: 200 });
    expect(() => wide.checkIp('a'.repeat(200))).not.toThrow();
    expect(refusalOf(() => wide.checkIp('a'.repeat(201)))).toBe(length('ip', 200));
  });
});

describe('ports', () => {
  const refusal = "invalid-parameter: Param 'port' is illegal, the value should be between 0 and 65535.";

  test.each([
    ['0', 0],
    ['65535', 65535],
    ['008080', 8080],
    ['+80', 80],
  ])('%j is %d', (text, port) => {
    expect(portOf(text)).toBe(port);
  });

  test.each(['', 'abc', '-1', '65536', '99999999999', '8080.0', '1e3', ' 1', '0x50'])('%j is refused', (text) => {
    expect(refusalOf(() => portOf(text))).toBe(refusal);
  });

  test.each([-1, 65536, 80.5, Number.NaN])('%d is refused', (port) => {
    expect(refusalOf(() => checkPort(port))).toBe(refusal);
  });

  test('the refusal names the parameter', () => {
    expect(refusalOf(() => portOf('x', 'checkPort'))).toContain("Param 'checkPort' is illegal");
  });
});

describe('weights', () => {
  test.each([
    [0, 0],
    [0.001, 0.01],
    [0.01, 0.01],
    [1, 1],
    [10000, 10000],
  ])('%d counts as %d', (weight, counted) => {
    expect(checkWeight(weight)).toBe(counted);
  });

  test.each([-0.1, 10000.1, 1e308, Number.NaN, Number.POSITIVE_INFINITY])('%d is refused', (weight) => {
    expect(refusalOf(() => checkWeight(weight))).toBe(
      'invalid-weight: instance format invalid: The weights range from 0.0 to 10000.0',
    );
  });

  test.each([
    [Number.NaN, 0],
    [-5, 0],
    [0.001, 0.01],
    [20000, 10000],
  ])('a full beat may send %d, which counts as %d', (weight, counted) => {
    expect(clampWeight(weight)).toBe(counted);
  });
});
