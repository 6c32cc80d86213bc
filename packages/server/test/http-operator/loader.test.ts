// Connections of clients as operators see and move them. Source: http-v2-v3 contract 6, 8.4.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpRegistry } from '../bug-reports/http-registry.test-support.js';

let registry: HttpRegistry;

beforeEach(async () => {
  registry = await HttpRegistry.start();
  for (const id of ['a', 'b', 'c'])
    registry.connected.set(id, { id, version: 'Go:v2.3.5', app: 'shop', ip: '10.0.0.9', port: 5, acceptedAt: 7 });
});
afterEach(() => registry.close());

const V2 = '/v2/core/loader';
const V3 = '/v3/admin/core/loader';

it('shows the connections, bare on v2 and in the envelope on v3', async () => {
  const bare = (await registry.ask('GET', `${V2}/current`)).json;
  expect(Object.keys(bare)).toEqual(['a', 'b', 'c']);
  expect(bare.a.metaInfo).toMatchObject({
    connectionId: 'a',
    createTime: 7,
    remoteIp: '10.0.0.9',
    version: 'Go:v2.3.5',
  });
  expect((await registry.ask('GET', `${V3}/current`)).json).toEqual({ code: 0, message: 'success', data: bare });
  const loads = (await registry.ask('GET', `${V3}/cluster`)).json.data;
  expect(loads).toMatchObject({ memberCount: 1, total: 3, avg: 3, detail: [{ sdkConCount: 3 }] });
});

describe.each([
  { method: 'GET', prefix: V2, done: 'success' },
  { method: 'POST', prefix: V3, done: '{"code":0,"message":"success","data":null}' },
])('$method $prefix', ({ method, prefix, done }) => {
  it('asks those above a number to go where it says', async () => {
    const answer = await registry.ask(method, `${prefix}/reloadCurrent`, {
      count: 1,
      redirectAddress: '10.0.0.2:8848',
    });
    expect(answer.text).toBe(done);
    const target = { ip: '10.0.0.2', port: 8848 };
    expect(registry.resets).toEqual(['a', 'b'].map((id) => ({ id, target })));
    await registry.ask(method, `${prefix}/reloadCurrent`, { count: 3 });
    expect(registry.resets).toHaveLength(2);
  });

  it('asks one; one that is not there is no error', async () => {
    for (const connectionId of ['c', 'nobody'])
      expect((await registry.ask(method, `${prefix}/reloadClient`, { connectionId })).text).toBe(done);
    expect(registry.resets).toEqual([{ id: 'c', target: undefined }]);
  });

  it('has nothing to even out alone, and refuses a factor that is none', async () => {
    const ok = method === 'GET' ? 'Ok' : done;
    expect((await registry.ask(method, `${prefix}/smartReloadCluster`)).text).toBe(ok);
    for (const loaderFactor of ['2', '-0.1', 'NaN', 'x'])
      expect((await registry.ask(method, `${prefix}/smartReloadCluster`, { loaderFactor })).status).toBe(400);
    expect(registry.resets).toEqual([]);
  });

  it('refuses a target that is none, and a missing number, and moves nobody', async () => {
    for (const fields of [
      { count: 0, redirectAddress: 'nowhere' },
      { redirectAddress: '10.0.0.2:8848' },
      { count: 'x' },
    ])
      expect((await registry.ask(method, `${prefix}/reloadCurrent`, fields)).status).toBe(400);
    expect(registry.resets).toEqual([]);
  });
});

it('HEAD moves nobody', async () => {
  expect((await registry.ask('HEAD', `${V2}/reloadCurrent`, { count: 0 })).status).toBe(501);
  expect(registry.resets).toEqual([]);
});
