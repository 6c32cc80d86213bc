import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.js';
import { paramCheckNameRules } from '../names.js';
import { Parameters } from '../parameters.js';
import { refusalOf } from '../refusal.test-support.js';
import { checkNamingParameters } from './parameter-check.js';

const check = (values: Record<string, string>) =>
  checkNamingParameters(new Parameters(new URLSearchParams(values).toString()), paramCheckNameRules(DEFAULT_LIMITS));

test.each([
  {},
  { serviceName: 'a/b', groupName: 'g', namespaceId: 'ns', ip: '10.0.0.1', port: '0', clusterName: 'A,B_1' },
  { serviceName: 'g@@s', cluster: 'DEFAULT' },
  { serviceName: ' ', groupName: '', namespaceId: '', ip: '', port: '', clusterName: '' },
])('%j passes', (values) => {
  expect(() => check(values as Record<string, string>)).not.toThrow();
});

test.each([
  [{ port: 'x' }, "Param 'port' is illegal, the value should be between 0 and 65535."],
  [{ port: '65536' }, "Param 'port' is illegal, the value should be between 0 and 65535."],
  [{ serviceName: '服务' }, "Param 'serviceName' is illegal, illegal characters should not appear in the param."],
  [{ serviceName: 'g@@a@@b' }, "Param 'serviceName' is illegal, illegal characters should not appear in the param."],
  [{ groupName: 'a b' }, "Param 'group' is illegal, illegal characters should not appear in the param."],
  [{ serviceName: 'a b@@s' }, "Param 'group' is illegal, illegal characters should not appear in the param."],
  [{ namespaceId: 'a.b' }, "Param 'namespaceId/tenant' is illegal, illegal characters should not appear in the param."],
  [{ ip: 'a b' }, "Param 'ip' is illegal, illegal characters should not appear in the param."],
  [{ clusterName: 'A,b.c' }, "Param 'cluster' is illegal, illegal characters should not appear in the param."],
  [{ cluster: 'x'.repeat(65) }, "Param 'cluster' is illegal, the param length should not exceed 64."],
])('%j is refused', (values, message) => {
  expect(refusalOf(() => check(values as Record<string, string>))).toBe(`invalid-parameter: ${message}`);
});
