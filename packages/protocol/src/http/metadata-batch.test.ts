import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.js';
import { refusalOf } from '../refusal.test-support.js';
import { RULES, request } from './forms.test-support.js';
import { metadataBatchJson, readMetadataBatchForm } from './metadata-batch.js';

const BASE = { serviceName: 's', metadata: '{"k":"v"}' };
const read = (values: Record<string, string>) => readMetadataBatchForm(request({ ...BASE, ...values }), RULES);
const NOTHING = { type: 'named', instances: [] };

describe('targets', () => {
  test.each([
    [{ consistencyType: 'ephemeral' }, { type: 'kind', kind: 'ephemeral' }],
    [{ consistencyType: 'persist' }, { type: 'kind', kind: 'persistent' }],
    [{ consistencyType: 'other' }, NOTHING],
    [{}, NOTHING],
    [{ instances: 'junk' }, NOTHING],
    [{ instances: '{}' }, NOTHING],
    [{ instances: '[1]' }, NOTHING],
    [{ instances: '[{"port":1}]' }, NOTHING],
    [{ instances: '[{"ip":"1","port":"x"}]' }, NOTHING],
    [{ instances: '[{"ip":"1","port":1},{"ip":"2","port":-1}]' }, NOTHING],
    [
      { instances: '[{"ip":"10.0.0.1","port":"8080","ephemeral":"true","clusterName":"C"}]' },
      { type: 'named', instances: [{ ip: '10.0.0.1', port: 8080, cluster: 'C', kind: 'ephemeral' }] },
    ],
    [
      { instances: '[{"ip":"10.0.0.2","port":8080},{"ip":"h","ephemeral":false,"clusterName":""}]' },
      {
        type: 'named',
        instances: [
          { ip: '10.0.0.2', port: 8080, cluster: 'DEFAULT', kind: 'ephemeral' },
          { ip: 'h', port: 0, cluster: 'DEFAULT', kind: 'persistent' },
        ],
      },
    ],
  ])('%j', (values, targets) => {
    expect(read(values as Record<string, string>).targets).toEqual(targets);
  });

  test('too many are refused', () => {
    const rules = { ...RULES, limits: { ...DEFAULT_LIMITS, batchInstances: 1 } };
    const instances = '[{"ip":"1"},{"ip":"2"}]';
    expect(refusalOf(() => readMetadataBatchForm(request({ ...BASE, instances }), rules))).toBe(
      "limit-exceeded: Param 'instances' is illegal, found 2 instances, allowed are 1",
    );
  });
});

test('metadata and service', () => {
  expect(read({})).toMatchObject({ metadata: new Map([['k', 'v']]), service: { id: 'public##DEFAULT_GROUP@@s' } });
  expect(read({ metadata: 'a=x' }).metadata).toEqual(new Map([['a', 'x']]));
});

test.each([{ serviceName: 'g@@' }, { serviceName: ' ' }, { namespaceId: '/x' }])(
  'a malformed name names nothing: %j',
  (values) => {
    expect(read(values as Record<string, string>).service).toBeUndefined();
  },
);

test.each([
  [{ serviceName: '' }, "missing-parameter: Param 'serviceName' is required."],
  [{ metadata: '' }, "missing-parameter: Param 'metadata' is required."],
  [{ metadata: 'a' }, 'invalid-metadata: metadata format incorrect:a'],
])('%j is refused', (values, refusal) => {
  expect(refusalOf(() => read(values as Record<string, string>))).toBe(refusal);
});

test('answer', () => {
  expect(metadataBatchJson([])).toBe('{"updated":[]}');
  expect(
    metadataBatchJson([
      { ip: '10.0.0.1', port: 8080, cluster: 'DEFAULT', kind: 'ephemeral' },
      { ip: '10.0.0.2', port: 0, cluster: 'C', kind: 'persistent' },
    ]),
  ).toBe('{"updated":["10.0.0.1:8080:unknown:DEFAULT:ephemeral","10.0.0.2:unknown:C:persist"]}');
});
