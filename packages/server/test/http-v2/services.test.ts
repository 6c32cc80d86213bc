// Services over HTTP v2: what the golden cases do not reach.

import { serviceKey } from '@rollcall/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

const service = (method: string, fields: Fields = {}) =>
  registry.ask(method, '/v2/ns/service', { serviceName: 's', ...fields });
const detail = async () => (await service('GET')).json.data;

describe('the kind of a service', () => {
  it('is that of its instances, and what its maker announced without any', async () => {
    await service('POST', { ephemeral: true });
    expect(await detail()).toMatchObject({ ephemeral: true });
    await registry.send('POST', '/instance', { ...USUAL, ephemeral: false });
    expect(await detail()).toMatchObject({ ephemeral: false });
    await registry.send('DELETE', '/instance', { ...USUAL, ephemeral: false });
    expect(await detail()).toMatchObject({ ephemeral: true });
  });

  it('outlasts updates over v1 and v2', async () => {
    await service('POST', { ephemeral: true, protectThreshold: 0.5 });
    await registry.send('PUT', '/service', { serviceName: 's', protectThreshold: 0.25 });
    await service('PUT', { metadata: 'a=1' });
    expect(await detail()).toMatchObject({ ephemeral: true, protectThreshold: 0, metadata: { a: '1' } });
  });

  it('is persistent for one made over v1, and ephemeral for one that only had instances', async () => {
    await registry.send('POST', '/service', { serviceName: 's' });
    expect(await detail()).toMatchObject({ ephemeral: false });
    await registry.send('POST', '/instance', { ...USUAL, serviceName: 't' });
    await registry.send('DELETE', '/instance', { ...USUAL, serviceName: 't' });
    expect((await service('GET', { serviceName: 't' })).json.data).toMatchObject({ ephemeral: true });
  });

  it('that was announced refuses nothing', async () => {
    await service('POST', { ephemeral: false });
    expect((await registry.ask('POST', '/v2/ns/instance', USUAL)).json).toMatchObject({ code: 0 });
  });
});

describe('the list', () => {
  it('is capped at 500 names of a page', async () => {
    const value = {
      protectThreshold: 0,
      metadata: new Map(),
      selector: { type: 'none' },
      clusters: new Map(),
    } as const;
    const names = Array.from({ length: 502 }, (_, i) => `s${i}`);
    await registry.runner.commit({ via: 'operator' }, () =>
      names.map((name) => ({ type: 'service', service: serviceKey('public', 'DEFAULT_GROUP', name), value })),
    );
    const { json } = await registry.ask('GET', '/v2/ns/service/list', { pageSize: 1000 });
    expect(json.data.count).toBe(502);
    expect(json.data.services).toHaveLength(500);
  });

  it('is empty past the end, and refuses a negative size', async () => {
    await service('POST');
    expect((await registry.ask('GET', '/v2/ns/service/list', { pageNo: 2 })).json.data).toEqual({
      count: 1,
      services: [],
    });
    expect(await registry.ask('GET', '/v2/ns/service/list', { pageSize: -1 })).toMatchObject({
      status: 400,
      json: { code: 20002 },
    });
  });
});

it('a service of another group or namespace is another service', async () => {
  await service('POST', { groupName: 'g', namespaceId: 'n' });
  expect(await service('GET')).toMatchObject({ status: 400, json: { code: 21008 } });
  expect((await service('GET', { groupName: 'g', namespaceId: 'n' })).json.data).toMatchObject({
    namespace: 'n',
    groupName: 'g',
  });
  expect(await service('DELETE')).toMatchObject({ status: 400, json: { code: 21008 } });
  expect(await service('PUT')).toMatchObject({
    status: 400,
    json: { code: 21008, data: 'service DEFAULT_GROUP@@s not found!' },
  });
});
