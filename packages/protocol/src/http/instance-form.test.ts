import { describe, expect, test } from 'vitest';
import { NO_METADATA } from '../instance.js';
import { refusalOf } from '../refusal.test-support.js';
import { serviceKey } from '../service-key.js';
import { RULES, request } from './forms.test-support.js';
import {
  readDeregisterForm,
  readInstanceTarget,
  readPatchForm,
  readRegisterForm,
  readUpdateForm,
} from './instance-form.js';

const BASE = { serviceName: 's', ip: '10.0.0.1', port: '8080' };
const register = (values: Record<string, string>) => readRegisterForm(request({ ...BASE, ...values }), RULES);

describe('register', () => {
  test('takes the defaults of 1.4.8 for what is not sent', () => {
    expect(register({})).toEqual({
      service: serviceKey('public', 'DEFAULT_GROUP', 's'),
      address: { ip: '10.0.0.1', port: 8080, cluster: 'DEFAULT' },
      kind: undefined,
      content: { weight: 1, enabled: true, healthy: true, metadata: NO_METADATA, app: 'DEFAULT' },
    });
  });

  test('takes every field', () => {
    const form = register({
      namespaceId: 'ns',
      groupName: 'grp',
      clusterName: 'C1',
      weight: '2.5',
      enabled: 'false',
      healthy: 'no',
      ephemeral: 'false',
      metadata: '{"version":"1","a":2}',
      app: 'a b/商店',
    });
    expect(form.service.id).toBe('ns##grp@@s');
    expect(form.address.cluster).toBe('C1');
    expect(form.kind).toBe('persistent');
    expect(form.content).toEqual({
      weight: 2.5,
      enabled: false,
      healthy: false,
      metadata: new Map([
        ['version', '1'],
        ['a', '2'],
      ]),
      app: 'a b/商店',
    });
  });

  test.each([
    ['clusterName wins over cluster', { clusterName: 'A', cluster: 'B' }, 'A'],
    ['cluster alone', { cluster: 'B' }, 'B'],
    ['a blank clusterName gives way', { clusterName: ' ', cluster: 'B' }, 'B'],
    ['empty is the default', { clusterName: '' }, 'DEFAULT'],
  ])('cluster: %s', (_title, values, cluster) => {
    expect(register(values).address.cluster).toBe(cluster);
  });

  test.each([
    ['enabled wins over enable', { enabled: 'true', enable: 'false' }, true],
    ['enable alone', { enable: 'false' }, false],
    ['a blank enabled gives way', { enabled: ' ', enable: 'false' }, false],
    ['1 is not true', { enabled: '1' }, false],
  ])('enabled: %s', (_title, values, enabled) => {
    expect(register(values).content.enabled).toBe(enabled);
  });

  test.each([
    ['a group inside the name wins', { serviceName: 'g1@@s', groupName: 'g2' }, 'public##g1@@s'],
    ['a blank group is the default', { groupName: ' ' }, 'public##DEFAULT_GROUP@@s'],
    ['names are trimmed', { serviceName: ' s ' }, 'public##DEFAULT_GROUP@@s'],
    ['dom stands in for a blank name', { serviceName: ' ', dom: 'd' }, 'public##DEFAULT_GROUP@@d'],
    ['serviceName wins over dom', { dom: 'd' }, 'public##DEFAULT_GROUP@@s'],
    ['a blank namespace is public', { namespaceId: ' ' }, 'public##DEFAULT_GROUP@@s'],
    ['null is a namespace like others', { namespaceId: 'null' }, 'null##DEFAULT_GROUP@@s'],
  ])('service: %s', (_title, values, id) => {
    expect(register(values).service.id).toBe(id);
  });

  test('a blank ip passes as empty, as it does on both servers', () => {
    expect(register({ ip: ' ' }).address.ip).toBe('');
  });

  test.each([
    [{ serviceName: '' }, "missing-parameter: Param 'serviceName' is required."],
    [
      { serviceName: ' ' },
      "invalid-parameter: Param 'serviceName' is illegal, it should be format as 'groupName@@serviceName'",
    ],
    [{ serviceName: '@@s' }, "invalid-parameter: Param 'serviceName' is illegal, groupName can't be empty"],
    [{ ip: '' }, "missing-parameter: Param 'ip' is required."],
    [{ port: '' }, "missing-parameter: Param 'port' is required."],
    [{ port: 'abc' }, "invalid-parameter: Param 'port' is illegal, the value should be between 0 and 65535."],
    [{ weight: 'abc' }, 'invalid-parameter: For input string: "abc"'],
    [{ weight: '10000.5' }, 'invalid-weight: instance format invalid: The weights range from 0.0 to 10000.0'],
    [{ weight: 'NaN' }, 'invalid-weight: instance format invalid: The weights range from 0.0 to 10000.0'],
    [{ weight: 'Infinity' }, 'invalid-weight: instance format invalid: The weights range from 0.0 to 10000.0'],
    [{ metadata: 'junk' }, 'invalid-metadata: metadata format incorrect:junk'],
    [
      { clusterName: 'a_b' },
      'invalid-parameter: cluster name can only have these characters: 0-9a-zA-Z-, current: a_b',
    ],
    [
      { cluster: '{"name":"DEFAULT"}' },
      'invalid-parameter: cluster name can only have these characters: 0-9a-zA-Z-, current: {"name":"DEFAULT"}',
    ],
  ])('%j is refused', (values, refusal) => {
    expect(refusalOf(() => register(values))).toBe(refusal);
  });

  test.each([
    ['nothing sent', {}, "Param 'serviceName' is required."],
    ['ip before port', { serviceName: 's' }, "Param 'ip' is required."],
    ['port before weight', { serviceName: 's', ip: '1', port: 'x', weight: 'y' }, "Param 'port' is illegal"],
    ['weight before metadata', { ...BASE, weight: 'y', metadata: 'z' }, 'For input string: "y"'],
    ['metadata before weight range', { ...BASE, weight: '-1', metadata: 'z' }, 'metadata format incorrect:z'],
    ['weight range before names', { ...BASE, serviceName: 'a/b', weight: '-1' }, 'instance format invalid'],
    ['service name before cluster name', { ...BASE, serviceName: 'a/b', clusterName: 'a_b' }, 'dom name can only'],
  ])('order of checks: %s', (_title, values, text) => {
    expect(refusalOf(() => readRegisterForm(request(values), RULES))).toContain(text);
  });
});

describe('update', () => {
  const update = (values: Record<string, string>) => readUpdateForm(request({ ...BASE, ...values }), RULES);

  test('the edit holds what was sent, the content also the defaults', () => {
    const form = update({ weight: '0.001', enable: 'false' });
    expect(form.edit).toEqual({ weight: 0.01, enabled: false });
    expect(form.content).toEqual({
      weight: 0.01,
      enabled: false,
      healthy: true,
      metadata: NO_METADATA,
      app: 'DEFAULT',
    });
  });

  test('what is empty was not sent', () => {
    expect(update({ weight: '', enabled: ' ', metadata: '' }).edit).toEqual({});
    expect(update({ metadata: '{}' }).edit).toEqual({ metadata: NO_METADATA });
  });
});

describe('deregister', () => {
  const deregister = (values: Record<string, string>) => readDeregisterForm(request({ ...BASE, ...values }), RULES);

  test('reads target and kind', () => {
    expect(deregister({ ephemeral: 'false', cluster: 'C' })).toEqual({
      service: serviceKey('public', 'DEFAULT_GROUP', 's'),
      address: { ip: '10.0.0.1', port: 8080, cluster: 'C' },
      kind: 'persistent',
    });
  });

  test('a name that cannot exist is no error, a cluster that cannot is', () => {
    expect(deregister({ serviceName: 'a/b' }).service.name).toBe('a/b');
    expect(refusalOf(() => deregister({ clusterName: 'a_b' }))).toContain('cluster name can only have');
  });

  test.each([
    [{}, "missing-parameter: Param 'ip' is required."],
    [{ ip: '1' }, "missing-parameter: Param 'port' is required."],
    [{ ip: '1', port: '1', weight: 'x' }, 'invalid-parameter: For input string: "x"'],
    [{ ip: '1', port: '1' }, "missing-parameter: Param 'serviceName' is required."],
  ])('order of checks: %j', (values, refusal) => {
    expect(refusalOf(() => readDeregisterForm(request(values), RULES))).toBe(refusal);
  });
});

describe('patch', () => {
  const patch = (values: Record<string, string>) => readPatchForm(request({ ...BASE, ...values }), RULES);

  test('holds only what was sent', () => {
    expect(patch({})).toMatchObject({ edit: {}, healthy: undefined, app: undefined });
    expect(patch({ weight: '8', healthy: 'false', app: 'b', enabled: 'false', metadata: 'b=2' })).toMatchObject({
      edit: { weight: 8, enabled: false, metadata: new Map([['b', '2']]) },
      healthy: false,
      app: 'b',
    });
  });

  test('has no alias for enabled', () => {
    expect(patch({ enable: 'false' }).edit).toEqual({});
  });

  test.each([
    [{ weight: '20000' }, 'invalid-weight: instance format invalid: The weights range from 0.0 to 10000.0'],
    [{ metadata: 'junk' }, 'invalid-metadata: metadata format incorrect:junk'],
    [{ ip: '' }, "missing-parameter: Param 'ip' is required."],
  ])('%j is refused before anything changes', (values, refusal) => {
    expect(refusalOf(() => patch(values))).toBe(refusal);
  });
});

test('reading one instance knows no cluster alias', () => {
  expect(readInstanceTarget(request({ ...BASE, cluster: 'C3' }), RULES).address.cluster).toBe('DEFAULT');
  expect(readInstanceTarget(request({ ...BASE, clusterName: 'C3' }), RULES).address.cluster).toBe('C3');
});
