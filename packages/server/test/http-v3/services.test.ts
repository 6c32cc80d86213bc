// Services over the admin paths of HTTP v3: pages, patterns, subscribers.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

const SERVICE = '/v3/admin/ns/service';

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

const list = (fields: Fields = {}) => registry.ask('GET', `${SERVICE}/list`, fields);

describe('the list', () => {
  beforeEach(async () => {
    await registry.ask('POST', '/v3/admin/ns/instance', { ...USUAL, serviceName: 'orders' });
    await registry.ask('POST', '/v3/admin/ns/instance', {
      ...USUAL,
      serviceName: 'stock',
      groupName: 'g',
      healthy: false,
    });
    await registry.ask('POST', SERVICE, { serviceName: 'empty', protectThreshold: 0.5 });
  });

  it('has a line for each service, by group and name', async () => {
    const counts = { clusterCount: 1, ipCount: 1, healthyInstanceCount: 1, triggerFlag: 'false' };
    expect((await list()).json.data).toEqual({
      totalCount: 3,
      pageNumber: 1,
      pagesAvailable: 1,
      pageItems: [
        { name: 'empty', groupName: 'DEFAULT_GROUP', ...counts, clusterCount: 0, ipCount: 0, healthyInstanceCount: 0 },
        { name: 'orders', groupName: 'DEFAULT_GROUP', ...counts },
        { name: 'stock', groupName: 'g', ...counts, healthyInstanceCount: 0 },
      ],
    });
  });

  it.each([
    [{ serviceNameParam: 'o' }, ['orders', 'stock']],
    [{ groupNameParam: 'g' }, ['stock']],
    [{ serviceNameParam: 'ord', groupNameParam: 'DEFAULT' }, ['orders']],
    [{ ignoreEmptyService: true }, ['orders', 'stock']],
    [{ pageNo: 2, pageSize: 2 }, ['stock']],
    [{ pageNo: 9 }, []],
    [{ namespaceId: 'other' }, []],
  ])('of %j', async (fields, names) => {
    const { pageItems } = (await list(fields as Fields)).json.data;
    expect(pageItems.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('counts pages as 3.0.3 does', async () => {
    expect((await list({ pageSize: 2 })).json.data).toMatchObject({ totalCount: 3, pagesAvailable: 2 });
    expect((await list({ pageSize: 3 })).json.data).toMatchObject({ totalCount: 3, pagesAvailable: 2 });
    expect((await list({ namespaceId: 'other' })).json.data).toMatchObject({ totalCount: 0, pagesAvailable: 0 });
  });

  it('refuses pages below 1', async () => {
    expect(await list({ pageNo: 0 })).toMatchObject({
      status: 400,
      json: { code: 20002, data: "Required parameter 'pageNo' should be positive integer, current is 0" },
    });
    expect(await list({ pageSize: -1 })).toMatchObject({ status: 400, json: { code: 20002 } });
  });

  it('shows the instances when it is asked for them, whatever the names are', async () => {
    await registry.ask('POST', SERVICE, { serviceName: 'a*b', metadata: '{"k":"*"}' });
    const { status, json } = await list({ withInstances: true, serviceNameParam: 'o' });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      totalCount: 2,
      pageItems: [{ serviceName: 'orders' }, { serviceName: 'stock' }],
    });
    expect(json.data.pageItems[0].clusterMap.DEFAULT).toMatchObject({
      clusterName: null,
      healthyCheckPort: 80,
      useInstancePortForCheck: true,
      hosts: [{ ip: '10.0.0.1', port: 8080, serviceName: 'DEFAULT_GROUP@@orders' }],
    });
    expect((await list({ withInstances: true })).json.data.pageItems).toHaveLength(4);
  });
});

it('the settings of a cluster are shown with their probes', async () => {
  await registry.ask('POST', '/v3/admin/ns/instance', { ...USUAL, clusterName: 'C1' });
  await registry.send('PUT', '/cluster', {
    serviceName: 's',
    clusterName: 'C1',
    checkPort: 81,
    useInstancePort4Check: false,
    healthChecker: '{"type":"NONE"}',
  });
  expect((await registry.ask('GET', SERVICE, { serviceName: 's' })).json.data.clusterMap).toEqual({
    C1: {
      clusterName: 'C1',
      healthChecker: { type: 'NONE' },
      healthyCheckPort: 81,
      useInstancePortForCheck: false,
      metadata: {},
      hosts: null,
    },
  });
});

it('subscribers come in pages', async () => {
  for (const port of [1001, 1002, 1003])
    await registry.send(
      'GET',
      '/instance/list',
      { serviceName: 's', udpPort: port, clientIP: '127.0.0.1', app: 'shop' },
      { headers: { 'User-Agent': 'Nacos-Java-Client:v1.4.8' } },
    );
  const page = await registry.ask('GET', `${SERVICE}/subscribers`, { serviceName: 's', pageNo: 2, pageSize: 2 });
  expect(page.json.data).toEqual({
    totalCount: 3,
    pageNumber: 2,
    pagesAvailable: 2,
    pageItems: [
      {
        namespaceId: 'public',
        groupName: 'DEFAULT_GROUP',
        serviceName: 's',
        ip: '127.0.0.1',
        port: 1003,
        agent: 'Nacos-Java-Client:v1.4.8',
        appName: 'shop',
        address: '127.0.0.1:1003',
      },
    ],
  });
});

it('selector types and the responsible node', async () => {
  expect((await registry.ask('GET', `${SERVICE}/selector/types`)).json.data).toEqual(['none', 'label']);
  const distro = await registry.ask('GET', '/v3/admin/ns/client/distro', { ip: '10.0.0.1', port: 8080 });
  expect(distro.json.data).toEqual({ responsibleServer: `127.0.0.1:${registry.port}` });
  expect(await registry.ask('GET', '/v3/admin/ns/client/distro', { ip: '10.0.0.1' })).toMatchObject({
    status: 400,
    json: { code: 10000 },
  });
});
