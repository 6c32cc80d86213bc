// Who the clients are, on v2 and v3.

import { serviceKey } from '@rollcall/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressOf } from '../../src/core/instance-address.js';
import { type Fields, HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

const CONNECTION = '1700000000000_10.0.0.9_51234';
const SERVICE = serviceKey('public', 'DEFAULT_GROUP', 's');

let registry: HttpRegistry;

beforeEach(async () => {
  registry = await HttpRegistry.start();
  const client = { id: CONNECTION, version: 'Nacos-Java-Client:v2.5.1', app: 'shop', ip: '10.0.0.9', port: 51_234 };
  registry.connected.set(CONNECTION, { ...client, acceptedAt: 1_700_000_000_000 });
  const content = { weight: 1, enabled: true, healthy: true, metadata: new Map(), app: undefined };
  registry.runner.step({
    type: 'publish',
    means: 'list',
    service: SERVICE,
    connection: CONNECTION,
    instances: [1, 2].map((port) => ({ address: addressOf('10.0.0.9', port, 'DEFAULT'), content })),
    actor: { via: 'grpc' },
  });
  registry.runner.step({
    type: 'subscribe-stream',
    service: SERVICE,
    connection: CONNECTION,
    clusters: '',
    agent: 'Nacos-Java-Client:v2.5.1',
    app: 'shop',
    ip: '10.0.0.9',
  });
  await registry.ask('POST', '/v2/ns/instance', USUAL);
});
afterEach(() => registry.close());

const v2 = async (path: string, fields: Fields = {}) =>
  (await registry.ask('GET', `/v2/ns/client${path}`, fields)).json;
const v3 = async (path: string, fields: Fields = {}) =>
  (await registry.ask('GET', `/v3/admin/ns/client${path}`, fields)).json;

describe('the list', () => {
  it('names connections, and one client per address and kind of HTTP', async () => {
    await registry.send('POST', '/instance', { ...USUAL, serviceName: 'p', ip: '10.0.0.3', ephemeral: false });
    await registry.send(
      'GET',
      '/instance/list',
      { serviceName: 'unknown', udpPort: 999, clientIP: '127.0.0.1' },
      { headers: { 'User-Agent': 'Nacos-Java-Client:v1.4.8' } },
    );
    const ids = [CONNECTION, '10.0.0.1:8080#true', '10.0.0.3:8080#false', '127.0.0.1:999#true'];
    expect((await v2('/list')).data.sort()).toEqual([...ids].sort());
    expect(await v3('/list')).toEqual(await v2('/list'));
  });
});

describe('one client', () => {
  it('that is connected', async () => {
    const shown = { clientId: CONNECTION, ephemeral: true, clientType: 'connection', connectType: 'GRPC' };
    const rest = { appName: 'shop', version: 'Nacos-Java-Client:v2.5.1', clientIp: '10.0.0.9' };
    expect((await v2('', { clientId: CONNECTION })).data).toMatchObject({ ...shown, ...rest, clientPort: '51234' });
    expect((await v3('', { clientId: CONNECTION })).data).toMatchObject({ ...shown, ...rest, clientPort: 51_234 });
  });

  it('of HTTP, with its last sign of life', async () => {
    const before = (await v2('', { clientId: '10.0.0.1:8080#true' })).data;
    expect(before).toMatchObject({ ephemeral: true, clientType: 'ipPort', clientIp: '10.0.0.1', clientPort: '8080' });
    registry.advance(5000);
    await registry.ask('POST', '/v3/client/ns/instance', { ...USUAL, heartBeat: true });
    const after = (await v3('', { clientId: '10.0.0.1:8080#true' })).data;
    expect(after).toEqual({
      clientId: '10.0.0.1:8080#true',
      ephemeral: true,
      lastUpdatedTime: before.lastUpdatedTime + 5000,
      clientType: 'ipPort',
      connectType: null,
      appName: null,
      version: null,
      clientIp: null,
      clientPort: 0,
    });
  });

  it.each(['nope', '10.0.0.1:8080#false', '10.0.0.1:99999#true', '1_1_1'])('%s is not there', async (clientId) => {
    const missing = { code: 20004, message: 'resource not found', data: `clientId [ ${clientId} ] not exist` };
    for (const path of ['', '/publish/list', '/subscribe/list']) {
      expect(await v2(path, { clientId })).toEqual(missing);
      expect(await v3(path, { clientId })).toEqual(missing);
    }
  });
});

describe('what a client publishes and subscribes', () => {
  it('BR-069 has a line for every instance of a batch', async () => {
    const { data } = await v2('/publish/list', { clientId: CONNECTION });
    expect(data).toEqual(
      [1, 2].map((port) => ({
        namespace: 'public',
        group: 'DEFAULT_GROUP',
        serviceName: 's',
        registeredInstance: { ip: '10.0.0.9', port, cluster: 'DEFAULT' },
      })),
    );
  });

  it('on v3', async () => {
    const service = { namespaceId: 'public', groupName: 'DEFAULT_GROUP', serviceName: 's' };
    expect((await v3('/publish/list', { clientId: '10.0.0.1:8080#true' })).data).toEqual([
      {
        ...service,
        publisherInfo: { clientId: '10.0.0.1:8080#true', ip: '10.0.0.1', port: 8080, clusterName: 'DEFAULT' },
        subscriberInfo: null,
      },
    ]);
    expect((await v3('/subscribe/list', { clientId: CONNECTION })).data).toEqual([
      {
        ...service,
        publisherInfo: null,
        subscriberInfo: {
          clientId: CONNECTION,
          appName: 'shop',
          agent: 'Nacos-Java-Client:v2.5.1',
          address: '10.0.0.9',
        },
      },
    ]);
  });

  it('may be nothing for one that is connected', async () => {
    const idle = { id: '1_1_1', version: '', app: '-', ip: '10.0.0.7', port: 1, acceptedAt: 1 };
    registry.connected.set('1_1_1', idle);
    expect((await v2('/publish/list', { clientId: '1_1_1' })).data).toEqual([]);
    expect((await v2('/subscribe/list', { clientId: '1_1_1' })).data).toEqual([]);
  });
});

describe('clients of a service', () => {
  it('that publish, all or those at an address', async () => {
    const all = (await v2('/service/publisher/list', { serviceName: 's' })).data;
    expect(all).toHaveLength(3);
    expect((await v2('/service/publisher/list', { serviceName: 's', ip: '10.0.0.9', port: 2 })).data).toEqual([
      { ip: '10.0.0.9', port: 2, cluster: 'DEFAULT', clientId: CONNECTION },
    ]);
    expect((await v2('/service/publisher/list', { serviceName: 's', ephemeral: false })).data).toEqual([]);
    expect((await v3('/service/publisher/list', { serviceName: 's', port: 8080 })).data).toEqual([
      { clientId: '10.0.0.1:8080#true', ip: '10.0.0.1', port: 8080, clusterName: 'DEFAULT' },
    ]);
    expect((await v3('/service/publisher/list', { serviceName: 'none' })).data).toEqual([]);
  });

  it('that subscribe', async () => {
    expect((await v2('/service/subscriber/list', { serviceName: 's' })).data).toEqual([
      { clientId: CONNECTION, ip: '10.0.0.9', port: 0 },
    ]);
    expect((await v3('/service/subscriber/list', { serviceName: 's', ip: '10.0.0.8' })).data).toEqual([]);
  });
});

it('instances of connections show the id that they were given, those of v2 and v3 none', async () => {
  const { data } = (await registry.ask('GET', '/v3/admin/ns/instance/list', { serviceName: 's' })).json;
  expect(data.map(({ instanceId }: { instanceId?: string }) => instanceId)).toEqual([
    undefined,
    '10.0.0.9#1#DEFAULT#DEFAULT_GROUP@@s',
    '10.0.0.9#2#DEFAULT#DEFAULT_GROUP@@s',
  ]);
});

it('an instance that a connection holds is neither beaten nor removed over HTTP', async () => {
  const held = { serviceName: 's', ip: '10.0.0.9', port: 1 };
  expect((await registry.ask('POST', '/v3/client/ns/instance', { ...held, heartBeat: true })).json).toMatchObject({
    code: 21003,
  });
  expect((await registry.ask('DELETE', '/v2/ns/instance', held)).json).toMatchObject({ code: 0 });
  expect(await registry.hosts()).toHaveLength(3);
});
