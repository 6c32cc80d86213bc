import { describe, expect, test } from 'vitest';
import { TCP_CHECKER } from '../health-checker.js';
import { leaseTimesOf, NO_METADATA } from '../instance.js';
import { NO_SELECTOR } from '../selector.js';
import { serviceKey } from '../service-key.js';
import {
  catalogInstancesJson,
  catalogServiceJson,
  catalogServicesJson,
  catalogServicesWithInstancesJson,
} from './catalog-answer.js';
import { detailedInstanceJson, instanceJson, instanceStatusesJson, missingInstanceText } from './instance-answer.js';
import { checksumJson, serviceJson, serviceListJson, serviceNamesJson, subscribersJson } from './service-answer.js';
import type { DetailedInstance } from './shown-instance.js';

const SERVICE = serviceKey('public', 'DEFAULT_GROUP', 'svc');
const INSTANCE: DetailedInstance = {
  ip: '10.0.0.1',
  port: 8080,
  cluster: 'DEFAULT',
  instanceId: '10.0.0.1#8080#DEFAULT#DEFAULT_GROUP@@svc',
  kind: 'ephemeral',
  healthy: true,
  enabled: true,
  weight: 1,
  metadata: NO_METADATA,
  app: 'DEFAULT',
  leaseTimes: leaseTimesOf(NO_METADATA),
  lastBeat: 1700000000000,
};
const CLUSTER = {
  name: 'DEFAULT',
  healthChecker: TCP_CHECKER,
  checkPort: 80,
  useInstancePort: true,
  metadata: NO_METADATA,
};
const SHOWN = { key: SERVICE, protectThreshold: 0, metadata: NO_METADATA, selector: NO_SELECTOR };

const withMetadata = (entries: readonly (readonly [string, string])[]): DetailedInstance => {
  const metadata = new Map(entries);
  return { ...INSTANCE, metadata, leaseTimes: leaseTimesOf(metadata) };
};

describe('instance', () => {
  test('short form', () => {
    expect(instanceJson(SERVICE, { ...INSTANCE, weight: 2.5, metadata: new Map([['v', '1']]) })).toBe(
      '{"service":"DEFAULT_GROUP@@svc","ip":"10.0.0.1","port":8080,"clusterName":"DEFAULT","weight":2.5,"healthy":true,"instanceId":"10.0.0.1#8080#DEFAULT#DEFAULT_GROUP@@svc","metadata":{"v":"1"}}',
    );
  });

  test('full form', () => {
    expect(JSON.parse(detailedInstanceJson(SERVICE, INSTANCE))).toEqual({
      instanceId: '10.0.0.1#8080#DEFAULT#DEFAULT_GROUP@@svc',
      ip: '10.0.0.1',
      port: 8080,
      weight: 1,
      healthy: true,
      enabled: true,
      ephemeral: true,
      clusterName: 'DEFAULT',
      serviceName: 'DEFAULT_GROUP@@svc',
      metadata: {},
      lastBeat: 1700000000000,
      marked: false,
      app: 'DEFAULT',
      instanceIdGenerator: 'simple',
      instanceHeartBeatInterval: 5000,
      instanceHeartBeatTimeOut: 15000,
      ipDeleteTimeout: 30000,
    });
    expect(detailedInstanceJson(SERVICE, INSTANCE)).toContain('"weight":1.0,');
  });

  test.each([
    ['other metadata: no generator', [['a', 'b']], undefined],
    ['the key itself, as it was sent', [['preserved.instance.id.generator', 'SNOWFLAKE']], 'SNOWFLAKE'],
  ] as const)('generator: %s', (_title, entries, generator) => {
    expect(JSON.parse(detailedInstanceJson(SERVICE, withMetadata(entries))).instanceIdGenerator).toBe(generator);
  });

  test('timing keys show in the derived members, and app is absent after a full beat', () => {
    const instance = withMetadata([
      ['preserved.heart.beat.interval', '1000'],
      ['preserved.heart.beat.timeout', '3000'],
      ['preserved.ip.delete.timeout', 'x'],
    ]);
    const json = JSON.parse(detailedInstanceJson(SERVICE, { ...instance, app: undefined }));
    expect(json).toMatchObject({
      instanceHeartBeatInterval: 1000,
      instanceHeartBeatTimeOut: 3000,
      ipDeleteTimeout: 30000,
    });
    expect('app' in json).toBe(false);
  });

  test('statuses', () => {
    expect(instanceStatusesJson([INSTANCE, { ...INSTANCE, ip: '10.0.0.2', healthy: false }])).toBe(
      '{"ips":["10.0.0.1:8080_true","10.0.0.2:8080_false"]}',
    );
  });

  test('how a refused update names it', () => {
    expect(missingInstanceText(INSTANCE, { weight: 3, healthy: true })).toBe(
      '10.0.0.1:8080:unknown:DEFAULT_3.0_true_false_DEFAULT',
    );
  });
});

describe('service', () => {
  test('one service', () => {
    expect(serviceJson({ ...SHOWN, protectThreshold: Math.fround(0.8) }, [CLUSTER])).toBe(
      '{"name":"svc","namespaceId":"public","protectThreshold":0.8,"metadata":{},"selector":{"type":"none"},"groupName":"DEFAULT_GROUP","clusters":[{"name":"DEFAULT","healthChecker":{"type":"TCP"},"metadata":{}}]}',
    );
  });

  test('listings', () => {
    expect(serviceListJson(['a', 'b'], 17)).toBe('{"doms":["a","b"],"count":17}');
    expect(serviceListJson([], 0)).toBe('{"doms":[],"count":0}');
    expect(serviceNamesJson(new Map([['public', ['a', 'b']]]))).toBe('{"services":{"public":["a","b"]},"count":1}');
    expect(serviceNamesJson(new Map())).toBe('{"services":{},"count":0}');
    expect(checksumJson('ea83')).toBe('{"checksum":"ea83"}');
  });

  test('subscribers', () => {
    const subscriber = {
      service: SERVICE,
      ip: '10.0.0.9',
      port: 54321,
      agent: 'Nacos-Java-Client:v1.4.8',
      app: 'unknown',
      clusters: 'a,b',
    };
    expect(subscribersJson([subscriber], 1)).toBe(
      '{"subscribers":[{"addrStr":"10.0.0.9:54321","agent":"Nacos-Java-Client:v1.4.8","app":"unknown","ip":"10.0.0.9","port":54321,"namespaceId":"public","serviceName":"DEFAULT_GROUP@@svc","cluster":"a,b"}],"count":1}',
    );
  });
});

describe('catalog', () => {
  test('one service', () => {
    expect(catalogServiceJson(SHOWN, [CLUSTER])).toBe(
      '{"service":{"name":"svc","protectThreshold":0.0,"groupName":"DEFAULT_GROUP","selector":{"type":"none"},"metadata":{}},"clusters":[{"serviceName":"DEFAULT_GROUP@@svc","name":"DEFAULT","healthChecker":{"type":"TCP"},"defaultPort":80,"defaultCheckPort":80,"useIPPort4Check":true,"metadata":{},"sitegroup":"","defCkport":80,"empty":false,"defIPPort":80}]}',
    );
  });

  test.each([true, false])('a checked port of 81 shows as defIPPort too, useInstancePort %s', (useInstancePort) => {
    const json = JSON.parse(catalogServiceJson(SHOWN, [{ ...CLUSTER, checkPort: 81, useInstancePort }]));
    expect(json.clusters[0]).toMatchObject({ defaultCheckPort: 80, defCkport: 81, defIPPort: 81 });
  });

  test('instances', () => {
    const json = JSON.parse(catalogInstancesJson(SERVICE, [INSTANCE], 3));
    expect(json.count).toBe(3);
    expect(json.list).toEqual([JSON.parse(detailedInstanceJson(SERVICE, INSTANCE))]);
  });

  test('overview', () => {
    const line = { key: SERVICE, clusterCount: 1, instanceCount: 2, healthyInstanceCount: 1, protected: true };
    expect(catalogServicesJson([line], 17)).toBe(
      '{"serviceList":[{"name":"svc","groupName":"DEFAULT_GROUP","clusterCount":1,"ipCount":2,"healthyInstanceCount":1,"triggerFlag":"true"}],"count":17}',
    );
  });

  test('overview with instances', () => {
    const service = { key: SERVICE, metadata: NO_METADATA, clusters: new Map([['DEFAULT', [INSTANCE]]]) };
    expect(catalogServicesWithInstancesJson([service])).toBe(
      '[{"serviceName":"svc","groupName":"DEFAULT_GROUP","clusterMap":{"DEFAULT":{"hosts":[{"valid":true,"metadata":{},"port":8080,"ip":"10.0.0.1","weight":1.0,"enabled":true}]}},"metadata":{}}]',
    );
  });
});
