// Switches, metrics, health by hand, clusters and state on v2 and v3. Source: http-v2-v3 contract 5.6, 6, 7.5, 8.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

let registry: HttpRegistry;

beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

const ask = (method: string, path: string, fields: Fields = {}) => registry.ask(method, path, fields);
const data = async (path: string, fields: Fields = {}) => (await ask('GET', path, fields)).json.data;
const OK = { code: 0, message: 'success', data: 'ok' };

describe.each(['/v2/ns/operator/switches', '/v2/ns/ops/switches', '/v3/admin/ns/ops/switches'])('%s', (path) => {
  it('sets what v1 and itself show', async () => {
    expect((await ask('PUT', path, { entry: 'clientBeatInterval', value: 7000 })).json).toEqual(OK);
    expect((await data(path)).clientBeatInterval).toBe(7000);
    expect((await ask('GET', '/v1/ns/operator/switches')).json.clientBeatInterval).toBe(7000);
  });

  it('knows a change in memory that was made over v1, and ends it with a durable one', async () => {
    await ask('PUT', '/v1/ns/operator/switches', { entry: 'checkTimes', value: 9 });
    await ask('PUT', '/v1/ns/operator/switches', { entry: 'healthCheckTimes', value: 9, debug: true });
    expect((await data(path)).checkTimes).toBe(9);
    await ask('PUT', path, { entry: 'pushEnabled', value: false });
    expect(await data(path)).toMatchObject({ checkTimes: 3, pushEnabled: false });
  });

  it.each<[Fields, number, string]>([
    [{ value: 1 }, 10000, "Required parameter 'entry' type String is not present"],
    [{ entry: 'check', value: '' }, 10000, "Required parameter 'value' type String is not present"],
    [{ entry: 'check', value: 'true', debug: 'maybe' }, 20002, 'allowed are "true"'],
    [{ entry: 'pushCacheMillis', value: 1 }, 20002, ''],
  ])('refuses %j', async (fields, code, text) => {
    const answer = await ask('PUT', path, fields);
    expect([answer.status, answer.json.code]).toEqual([400, code]);
    expect(answer.json.data).toContain(text);
  });
});

it('names the versions of clients on v2 as 2.x does, on v3 as 3.x does', async () => {
  const [v2, v3] = [await data('/v2/ns/ops/switches'), await data('/v3/admin/ns/ops/switches')];
  expect([v2.pushCSharpVersion, v2.pushVersionOfCsharp]).toEqual(['0.9.0', undefined]);
  expect([v3.pushCSharpVersion, v3.pushVersionOfCsharp]).toEqual([undefined, '0.9.0']);
});

describe('metrics', () => {
  it('count what HTTP holds as clients; v3 has no load', async () => {
    await registry.register();
    await registry.register({ serviceName: 'p', ephemeral: false });
    const counts = { status: 'UP', serviceCount: 2, instanceCount: 2, clientCount: 2, persistentIpPortClientCount: 1 };
    const v2 = await data('/v2/ns/operator/metrics', { onlyStatus: false });
    expect(v2).toMatchObject({ ...counts, mem: expect.any(Number) });
    const v3 = await data('/v3/admin/ns/ops/metrics', { onlyStatus: false });
    expect(v3).toMatchObject(counts);
    expect(v3).not.toHaveProperty('mem');
  });

  it('and readiness say that the server was taken out, at HTTP status 200', async () => {
    await ask('PUT', '/v3/admin/ns/ops/switches', { entry: 'overriddenServerStatus', value: 'DOWN' });
    expect(await data('/v2/ns/ops/metrics')).toEqual({ status: 'DOWN' });
    for (const path of ['/v2/console/health/readiness', '/v3/admin/core/state/readiness']) {
      const answer = await ask('GET', path);
      expect([answer.status, answer.json]).toEqual([
        200,
        { code: 30000, message: 'naming not in readiness', data: null },
      ]);
    }
    expect((await ask('GET', '/v3/admin/core/state/liveness')).json).toEqual(OK);
    expect(await data('/v2/core/cluster/node/self/health')).toBe('DOWN');
    expect(await data('/v3/admin/core/cluster/node/list', { state: 'up' })).toEqual([]);
    expect(await data('/v3/admin/core/cluster/node/list', { state: 'down' })).toHaveLength(1);
  });
});

describe.each(['/v2/ns/health', '/v2/ns/health/instance', '/v3/admin/ns/health/instance'])('PUT %s', (path) => {
  const noChecker = { checkPort: 80, useInstancePort4Check: true, healthChecker: '{"type":"NONE"}' };
  const setCluster = () =>
    ask('PUT', '/v3/admin/ns/cluster', { serviceName: 's', clusterName: 'DEFAULT', ...noChecker });
  const health = async () => (await registry.one()).json.healthy;

  it('sets persistent instances alone; one that is not there is no error', async () => {
    await registry.register({ ephemeral: false });
    await registry.register({ port: 8081 });
    expect((await setCluster()).json).toEqual(OK);
    for (const port of [8080, 8081, 8082]) {
      expect((await ask('PUT', path, { ...USUAL, port, healthy: false })).json).toEqual(OK);
    }
    expect(await health()).toBe(false);
    expect((await registry.one({ port: 8081 })).json.healthy).toBe(true);
    expect(registry.events.at(-1)).toMatchObject({ type: 'instance-unhealthy', cause: 'set-by-hand' });
  });

  it('is refused where nobody defined the cluster as not probed, also where there is none', async () => {
    await registry.register({ ephemeral: false });
    for (const serviceName of ['s', 'unknown']) {
      const answer = await ask('PUT', path, { ...USUAL, serviceName, healthy: false });
      expect([answer.status, answer.json]).toEqual([
        400,
        {
          code: 30000,
          message: 'server error',
          data: `health check is still working, service: DEFAULT_GROUP@@${serviceName}, cluster: DEFAULT`,
        },
      ]);
    }
  });

  it.each<[string, string]>([
    ['healthy', 'Boolean'],
    ['serviceName', 'String'],
    ['ip', 'String'],
    ['port', 'Integer'],
  ])('is refused without %s', async (name, type) => {
    const { [name]: _, ...fields } = { ...USUAL, healthy: true } as Record<string, string | number | boolean>;
    const answer = await ask('PUT', path, fields);
    expect(answer.json).toMatchObject({
      code: 10000,
      data: `Required parameter '${name}' type ${type} is not present`,
    });
  });

  it('checks names before anything else, as plain text', async () => {
    const answer = await ask('PUT', path, { serviceName: 's', port: 'x' });
    expect([answer.status, answer.text]).toEqual([
      400,
      "Param 'port' is illegal, the value should be between 0 and 65535.",
    ]);
  });
});

describe('PUT /v3/admin/ns/cluster', () => {
  const FORM: Fields = {
    serviceName: 's',
    clusterName: 'c1',
    checkPort: 81,
    useInstancePort4Check: false,
    healthChecker: '{"type":"TCP"}',
  };
  const setCluster = (fields: Fields) => ask('PUT', '/v3/admin/ns/cluster', { ...FORM, ...fields });

  it('makes a cluster with its settings', async () => {
    await registry.register();
    expect((await setCluster({ metadata: 'a=1' })).json).toEqual(OK);
    const { clusters } = (await registry.send('GET', '/catalog/service', { serviceName: 's' })).json;
    expect(clusters.find(({ name }: { name: string }) => name === 'c1')).toMatchObject({
      defCkport: 81,
      useIPPort4Check: false,
      metadata: { a: '1' },
    });
  });

  it.each<[string, Fields, number, string]>([
    ['an unknown service', {}, 30000, 'service not found groupName: DEFAULT_GROUP,serviceName: s'],
    ['no port', { checkPort: '' }, 10000, "Required parameter 'checkPort' type Integer is not present"],
    ['no flag', { useInstancePort4Check: '' }, 10000, 'useInstancePort4Check'],
    ['a checker that is no JSON', { healthChecker: 'TCP' }, 20002, 'healthChecker'],
    ['a port that is none', { checkPort: 65_536 }, 20002, 'checkPort'],
  ])('refuses %s', async (_, fields, code, text) => {
    const answer = await setCluster(fields);
    expect([answer.status, answer.json.code]).toEqual([400, code]);
    expect(answer.json.data).toContain(text);
  });
});

describe('GET /v2/ns/catalog/instances', () => {
  const instances = (fields: Fields = {}) =>
    data('/v2/ns/catalog/instances', { serviceName: 's', pageNo: 1, pageSize: 10, ...fields });
  const ports = async (fields: Fields) =>
    (await instances(fields)).instances?.map(({ port }: { port: number }) => port) ?? 'absent';

  it('filters first, then takes the page; an empty page has no list', async () => {
    await registry.register({ port: 1 });
    await registry.register({ port: 2, healthy: false });
    await registry.register({ port: 3, enabled: false });
    expect(await ports({})).toEqual([1, 2, 3]);
    expect(await ports({ healthyOnly: true })).toEqual([1, 3]);
    expect(await ports({ healthyOnly: false })).toEqual([2]);
    expect(await ports({ enabledOnly: true, pageNo: 2, pageSize: 1 })).toEqual([2]);
    expect(await instances({ enabledOnly: false, pageNo: 2 })).toEqual({ count: 1 });
  });

  it('refuses as v1 does', async () => {
    const answer = await ask('GET', '/v2/ns/catalog/instances', { serviceName: 'x', pageNo: 1, pageSize: 1 });
    expect([answer.status, answer.text]).toEqual([404, 'service DEFAULT_GROUP@@x is not found!']);
  });
});

describe('what is left out', () => {
  it.each([
    ['PUT', '/v2/core/cluster/lookup'],
    ['PUT', '/v3/admin/core/cluster/node/list'],
    ['POST', '/v3/admin/core/ops/raft'],
    ['POST', '/v3/auth/user/admin'],
    ['GET', '/v3/console/health/readiness'],
    ['GET', '/v3/console'],
  ])('%s %s says so', async (method, path) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.json.code, answer.json.message]).toEqual([501, 40001, 'API function disabled']);
    expect(answer.json.data).toMatch(`Route "${method} ${path}" is not offered: `);
  });

  it('an unknown path stays an unknown path', async () => {
    expect((await ask('GET', '/v3/consoles')).status).toBe(404);
    expect((await ask('POST', '/v3/admin/core/state')).status).toBe(405);
  });
});

describe('levels of logs', () => {
  it('are accepted without effect', async () => {
    expect((await ask('PUT', '/v3/admin/ns/ops/log', { logName: 'naming-push', logLevel: 'DEBUG' })).json).toEqual(OK);
    const sending = { body: '{"logName":"core","logLevel":"INFO"}', headers: { 'Content-Type': 'application/json' } };
    expect((await registry.ask('PUT', '/v3/admin/core/ops/log', {}, sending)).json).toMatchObject({
      code: 0,
      data: null,
    });
  });

  it.each(['', 'x', 'null', '[]', '{"logName":"core"}'])('are refused with the body %j', async (body) => {
    const answer = await registry.ask('PUT', '/v3/admin/core/ops/log', {}, { body });
    expect([answer.status, answer.json.code]).toEqual([400, 10000]);
  });
});
