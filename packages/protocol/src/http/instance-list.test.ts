import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_METADATA } from '../instance.js';
import { refusalOf } from '../refusal.test-support.js';
import { serviceKey } from '../service-key.js';
import { RULES, request } from './forms.test-support.js';
import { type InstanceListFrame, instanceListJson, unknownServiceListJson } from './instance-list-answer.js';
import { clusterNames, readInstanceListQuery } from './instance-list-query.js';
import { type ShownInstance, simpleInstanceId } from './shown-instance.js';

const SERVICE = serviceKey('public', 'DEFAULT_GROUP', 'x');
const FRAME: InstanceListFrame = {
  service: SERVICE,
  metadata: NO_METADATA,
  names: 'grouped',
  clusters: '',
  env: '',
  cacheMillis: 10000,
  lastRefTime: 1700000000000,
  checksum: 'ea83a477',
  health: 'real',
};
const ADDRESS = { ip: '10.0.0.1', port: 8080, cluster: 'DEFAULT' };
const HOST: ShownInstance = {
  ...ADDRESS,
  instanceId: simpleInstanceId(ADDRESS, SERVICE.grouped),
  kind: 'ephemeral',
  healthy: true,
  enabled: true,
  weight: 1,
  metadata: new Map([['v', '1']]),
};

describe('query', () => {
  test('defaults', () => {
    expect(readInstanceListQuery(request({ serviceName: 's' }), RULES)).toEqual({
      service: serviceKey('public', 'DEFAULT_GROUP', 's'),
      clusters: '',
      healthyOnly: false,
      clientIp: '',
      udpPort: 0,
      env: '',
      app: '',
      checkOnly: false,
    });
  });

  test('everything sent', () => {
    const query = readInstanceListQuery(
      request({
        serviceName: 's',
        clusters: 'A, B',
        healthyOnly: 'TRUE',
        clientIP: '127.0.0.1',
        udpPort: '54321',
        env: 'prod',
        app: 'shop',
        isCheck: 'true',
      }),
      RULES,
    );
    expect(query).toMatchObject({
      clusters: 'A, B',
      healthyOnly: true,
      clientIp: '127.0.0.1',
      udpPort: 54321,
      env: 'prod',
      app: 'shop',
      checkOnly: true,
    });
  });

  test('only the word true counts for healthyOnly', () => {
    expect(readInstanceListQuery(request({ serviceName: 's', healthyOnly: 'yes' }), RULES).healthyOnly).toBe(false);
  });

  test('names that cannot be created can be asked for', () => {
    expect(readInstanceListQuery(request({ serviceName: '服务' }), RULES).service.grouped).toBe('DEFAULT_GROUP@@服务');
  });

  test.each([
    [{}, "missing-parameter: Param 'serviceName' is required."],
    [{ serviceName: 's', udpPort: 'x' }, 'invalid-parameter: For input string: "x"'],
    [
      { serviceName: 's', namespaceId: '/x' },
      "invalid-parameter: Param 'namespaceId/tenant' is illegal, illegal characters should not appear in the param.",
    ],
  ])('%j is refused', (values, refusal) => {
    expect(refusalOf(() => readInstanceListQuery(request(values as Record<string, string>), RULES))).toBe(refusal);
  });
});

test.each([
  ['', []],
  ['A', ['A']],
  ['A, B', ['A', ' B']],
  [',A,,', ['A']],
  ['A,A', ['A', 'A']],
])('clusters %j name %j', (text, names) => {
  expect(clusterNames(text)).toEqual(names);
});

describe('answer', () => {
  test('with hosts, for a Java client, byte for byte as the contract', () => {
    expect(instanceListJson(FRAME, [HOST])).toBe(
      '{"hosts":[{"ip":"10.0.0.1","port":8080,"valid":true,"healthy":true,"marked":false,"instanceId":"10.0.0.1#8080#DEFAULT#DEFAULT_GROUP@@x","metadata":{"v":"1"},"enabled":true,"weight":1.0,"clusterName":"DEFAULT","serviceName":"DEFAULT_GROUP@@x","ephemeral":true}],"dom":"DEFAULT_GROUP@@x","name":"DEFAULT_GROUP@@x","cacheMillis":10000,"lastRefTime":1700000000000,"checksum":"ea83a477","useSpecifiedURL":false,"clusters":"","env":"","metadata":{}}',
    );
  });

  test('known, nothing selected', () => {
    expect(instanceListJson({ ...FRAME, cacheMillis: 3000, clusters: 'X' }, [])).toBe(
      '{"dom":"DEFAULT_GROUP@@x","name":"DEFAULT_GROUP@@x","cacheMillis":3000,"lastRefTime":1700000000000,"checksum":"ea83a477","useSpecifiedURL":false,"clusters":"X","env":"","hosts":[],"metadata":{}}',
    );
  });

  test('unknown service', () => {
    expect(unknownServiceListJson({ service: SERVICE, clusters: '', cacheMillis: 3000 })).toBe(
      '{"name":"DEFAULT_GROUP@@x","clusters":"","cacheMillis":3000,"hosts":[]}',
    );
  });

  test('bare names for other clients, up to a further separator', () => {
    const json = JSON.parse(
      instanceListJson({ ...FRAME, service: serviceKey('public', 'g', 'n@@x'), names: 'bare' }, [HOST]),
    );
    expect(json).toMatchObject({ name: 'g@@n@@x', dom: 'n', hosts: [{ serviceName: 'n' }] });
  });

  test('while protection holds, all are shown as healthy', () => {
    const json = instanceListJson({ ...FRAME, health: 'all-healthy' }, [{ ...HOST, healthy: false }]);
    expect(JSON.parse(json).hosts[0]).toMatchObject({ valid: true, healthy: true });
    expect(JSON.parse(instanceListJson(FRAME, [{ ...HOST, healthy: false }])).hosts[0]).toMatchObject({
      valid: false,
      healthy: false,
    });
  });

  test('is JSON for any content, and says the same', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    const host = fc.record({
      ip: text,
      port: fc.nat(65535),
      cluster: text,
      instanceId: text,
      kind: fc.constantFrom('ephemeral' as const, 'persistent' as const),
      healthy: fc.boolean(),
      enabled: fc.boolean(),
      weight: fc.double({ min: 0, max: 10000, noNaN: true }),
      metadata: fc.array(fc.tuple(text, text), { maxLength: 3 }).map((entries) => new Map(entries)),
    });
    fc.assert(
      fc.property(fc.array(host, { maxLength: 4 }), text, text, (hosts, clusters, env) => {
        const json = JSON.parse(instanceListJson({ ...FRAME, clusters, env }, hosts));
        expect(json).toMatchObject({ clusters, env, name: 'DEFAULT_GROUP@@x' });
        expect(json.hosts).toEqual(
          hosts.map(({ cluster, kind, metadata, weight, ...same }) => ({
            ...same,
            valid: same.healthy,
            marked: false,
            metadata: Object.fromEntries(metadata),
            weight: weight + 0,
            clusterName: cluster,
            serviceName: 'DEFAULT_GROUP@@x',
            ephemeral: kind === 'ephemeral',
          })),
        );
      }),
    );
  });
});
