// Instances over HTTP v3: what the golden cases do not reach.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

const ADMIN = '/v3/admin/ns/instance';
const CLIENT = '/v3/client/ns/instance';
const OK = { code: 0, message: 'success', data: 'ok' };

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

const send = async (method: string, path: string, fields: Fields = {}) => {
  const { status, json } = await registry.ask(method, path, { ...USUAL, ...fields });
  return { status, ...json };
};
const hosts = async (path: string, fields: Fields = {}) =>
  (await registry.ask('GET', `${path}/list`, { serviceName: 's', ...fields })).json.data;

describe('a client that polls', () => {
  it('lives by its beats, and is told to register again when it is gone', async () => {
    await send('POST', CLIENT);
    registry.advance(14_000);
    expect(await send('POST', CLIENT, { heartBeat: true, weight: 9 })).toEqual({ status: 200, ...OK });
    registry.advance(14_000);
    expect(await hosts(CLIENT)).toMatchObject([{ healthy: true, weight: 1 }]);
    registry.advance(16_000);
    expect(await send('POST', CLIENT, { heartBeat: true })).toEqual({
      status: 200,
      code: 21003,
      message: 'instance not found',
      data: null,
    });
  });

  it('sees the cluster DEFAULT unless it names others', async () => {
    await send('POST', CLIENT);
    await send('POST', CLIENT, { ip: '10.0.0.2', clusterName: 'C1' });
    expect(await hosts(CLIENT)).toMatchObject([{ ip: '10.0.0.1' }]);
    expect(await hosts(CLIENT, { clusterName: 'C1,DEFAULT' })).toMatchObject([{ ip: '10.0.0.2' }, { ip: '10.0.0.1' }]);
    expect(await hosts(CLIENT, { clusterName: 'nope' })).toEqual([]);
    expect(await hosts(CLIENT, { serviceName: 'none' })).toEqual([]);
  });

  it('sees no disabled instance, and all as healthy while protection holds', async () => {
    await registry.ask('POST', '/v3/admin/ns/service', { serviceName: 's', protectThreshold: 0.5, ephemeral: true });
    await send('POST', CLIENT, { healthy: false });
    await send('POST', CLIENT, { ip: '10.0.0.2', enabled: false });
    expect(await hosts(CLIENT, { healthyOnly: true })).toMatchObject([{ ip: '10.0.0.1', healthy: true }]);
  });

  it('is refused what is no boolean', async () => {
    expect(await send('POST', CLIENT, { heartBeat: 'maybe' })).toMatchObject({ status: 400, code: 20002 });
  });
});

describe('an operator', () => {
  it('sees all instances as they are, or the healthy ones', async () => {
    await registry.ask('POST', '/v3/admin/ns/service', { serviceName: 's', protectThreshold: 0.9 });
    await send('POST', ADMIN, { healthy: false });
    await send('POST', ADMIN, { ip: '10.0.0.2', enabled: false });
    expect(await hosts(ADMIN)).toMatchObject([{ healthy: false }, { enabled: false, healthy: true }]);
    expect(await hosts(ADMIN, { healthyOnly: true })).toMatchObject([{ ip: '10.0.0.2' }]);
  });

  it('changes part of an instance: metadata that is not sent stays, weight and enabled become 1 and true', async () => {
    await send('POST', ADMIN, { metadata: 'a=1' });
    await send('PUT', `${ADMIN}/partial`, { weight: 5, enabled: false, metadata: 'b=2' });
    expect(await send('GET', ADMIN)).toMatchObject({
      data: { weight: 5, enabled: false, metadata: { a: '1', b: '2' } },
    });
    await send('PUT', `${ADMIN}/partial`);
    expect(await send('GET', ADMIN)).toMatchObject({
      data: { weight: 1, enabled: true, metadata: { a: '1', b: '2' } },
    });
    await send('PUT', `${ADMIN}/partial`, { metadata: 'c=3' });
    expect(await send('GET', ADMIN)).toMatchObject({ data: { metadata: { a: '1', c: '3' } } });
    expect(await send('PUT', `${ADMIN}/partial`, { port: 1 })).toMatchObject({ status: 404, code: 20004 });
  });

  it('edits many instances', async () => {
    await send('POST', ADMIN, { ephemeral: false });
    const form = { metadata: 'k=v', consistencyType: 'persist' };
    expect(await send('PUT', `${ADMIN}/metadata/batch`, form)).toMatchObject({
      data: { updated: ['10.0.0.1:8080:unknown:DEFAULT:persist'] },
    });
    expect(await send('DELETE', `${ADMIN}/metadata/batch`, form)).toMatchObject({ code: 0 });
    expect(await send('GET', ADMIN)).toMatchObject({ data: { metadata: {}, ephemeral: false } });
  });
});

it('a trailing slash is another path, whatever the context path', async () => {
  for (const path of ['/nacos/v3/client/ns/instance/list/', '/v3/client/ns/instance/list/'])
    expect((await registry.raw('GET', `${path}?serviceName=s`)).status).toBe(404);
  expect((await registry.raw('GET', '/v3/client/ns/instance/list?serviceName=s')).status).toBe(200);
});
