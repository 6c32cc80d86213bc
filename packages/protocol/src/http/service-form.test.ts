import { describe, expect, test } from 'vitest';
import { NO_METADATA } from '../instance.js';
import { refusalOf } from '../refusal.test-support.js';
import { serviceKey } from '../service-key.js';
import { RULES, request } from './forms.test-support.js';
import { readClusterForm, readCreateServiceForm, readServiceListQuery, readUpdateServiceForm } from './service-form.js';

describe('create', () => {
  const create = (values: Record<string, string>) => readCreateServiceForm(request(values), RULES);

  test('defaults', () => {
    expect(create({ serviceName: 's', protectThreshold: '' })).toEqual({
      service: serviceKey('public', 'DEFAULT_GROUP', 's'),
      protectThreshold: 0,
      metadata: NO_METADATA,
      selector: { type: 'none' },
    });
  });

  test('everything sent', () => {
    const form = create({
      serviceName: 's',
      groupName: 'g',
      namespaceId: 'ns',
      protectThreshold: '-1',
      metadata: 'a=1',
      selector: '{"type":"label","expression":"CONSUMER.label.a=PROVIDER.label.a"}',
    });
    expect(form).toMatchObject({ protectThreshold: -1, metadata: new Map([['a', '1']]), selector: { labels: ['a'] } });
    expect(form.service.id).toBe('ns##g@@s');
  });

  test.each([
    [{}, "missing-parameter: Parameter 'serviceName' is missing"],
    [{ serviceName: '' }, 'invalid-parameter: '],
    [
      { serviceName: 'a/s' },
      'invalid-parameter: dom name can only have these characters: 0-9a-zA-Z-._:, current: DEFAULT_GROUP@@a/s',
    ],
    [{ serviceName: 's', protectThreshold: 'abc' }, 'invalid-parameter: For input string: "abc"'],
    [{ serviceName: 's', protectThreshold: 'NaN' }, 'allowed are finite numbers'],
    [{ serviceName: 's', metadata: 'junk' }, 'invalid-metadata: metadata format incorrect:junk'],
    [{ serviceName: 's', selector: '{"type":"xyz"}' }, 'invalid-selector: not match any type of selector!'],
  ])('%j is refused', (values, refusal) => {
    expect(refusalOf(() => create(values as Record<string, string>))).toContain(refusal);
  });
});

describe('update', () => {
  const update = (values: Record<string, string>) => readUpdateServiceForm(request(values), RULES);

  test('the threshold is lenient but must be there', () => {
    expect(update({ serviceName: 's', protectThreshold: 'abc' }).protectThreshold).toBe(0);
    expect(update({ serviceName: 's', protectThreshold: '0.3' }).protectThreshold).toBe(Math.fround(0.3));
    expect(refusalOf(() => update({ serviceName: 's' }))).toBe(
      "missing-parameter: Param 'protectThreshold' is required.",
    );
    expect(refusalOf(() => update({ protectThreshold: '0' }))).toBe(
      "missing-parameter: Param 'serviceName' is required.",
    );
  });

  test('what is not sent is cleared', () => {
    expect(update({ serviceName: 's', protectThreshold: '0.2' })).toMatchObject({
      metadata: NO_METADATA,
      selector: { type: 'none' },
    });
  });
});

describe('cluster', () => {
  const BASE = {
    serviceName: 'DEFAULT_GROUP@@s',
    clusterName: 'C',
    checkPort: '81',
    useInstancePort4Check: 'false',
    healthChecker: '{"type":"TCP"}',
  };
  const cluster = (values: Record<string, string>) => readClusterForm(request({ ...BASE, ...values }), RULES);

  test('reads all settings', () => {
    expect(cluster({ metadata: 'a=1' })).toEqual({
      service: serviceKey('public', 'DEFAULT_GROUP', 's'),
      cluster: 'C',
      checkPort: 81,
      useInstancePort: false,
      healthChecker: { type: 'TCP' },
      metadata: new Map([['a', '1']]),
    });
    expect(cluster({}).metadata).toBe(NO_METADATA);
  });

  test.each([
    [{ clusterName: '' }, "missing-parameter: Param 'clusterName' is required."],
    [{ serviceName: '' }, "missing-parameter: Param 'serviceName' is required."],
    [{ checkPort: '' }, "missing-parameter: Param 'checkPort' is required."],
    [{ useInstancePort4Check: '' }, "missing-parameter: Param 'useInstancePort4Check' is required."],
    [{ healthChecker: '' }, "missing-parameter: Param 'healthChecker' is required."],
    [{ healthChecker: 'junk' }, "invalid-parameter: Param 'healthChecker' is illegal"],
    [{ checkPort: 'x' }, "invalid-parameter: Param 'checkPort' is illegal, the value should be between 0 and 65535."],
    [
      { clusterName: 'a_b' },
      'invalid-parameter: cluster name can only have these characters: 0-9a-zA-Z-, current: a_b',
    ],
  ])('%j is refused', (values, refusal) => {
    expect(refusalOf(() => cluster(values as Record<string, string>))).toContain(refusal);
  });
});

describe('listing', () => {
  const list = (values: Record<string, string>) => readServiceListQuery(request(values), RULES);

  test.each([
    ['1', '10', 1, 10],
    ['0', '2', 1, 2],
    ['-1', '2', 1, 2],
    ['x', '10', 1, 10],
    ['1', 'x', 1, 0],
    ['2147483647', '2147483647', 2147483647, RULES.limits.pageSize],
  ])('page %j of size %j is page %d of size %d', (pageNo, pageSize, no, size) => {
    expect(list({ pageNo, pageSize })).toMatchObject({ pageNo: no, pageSize: size });
  });

  test('group and namespace', () => {
    expect(list({ pageNo: '1', pageSize: '1' })).toMatchObject({ group: 'DEFAULT_GROUP', namespace: 'public' });
    expect(list({ pageNo: '1', pageSize: '1', groupName: '*', namespaceId: 'ns' })).toMatchObject({
      group: '*',
      namespace: 'ns',
    });
  });

  test.each([
    [{ pageSize: '10' }, "missing-parameter: Param 'pageNo' is required."],
    [{ pageNo: '1' }, "missing-parameter: Param 'pageSize' is required."],
    [{ pageNo: '1', pageSize: '-5' }, 'invalid-parameter: fromIndex(0) > toIndex(-5)'],
  ])('%j is refused', (values, refusal) => {
    expect(refusalOf(() => list(values as Record<string, string>))).toBe(refusal);
  });
});
