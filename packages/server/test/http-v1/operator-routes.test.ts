// Clusters, health by hand, and what a server alone says of its cluster. Source: contract 8.4 to 12.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

let registry: HttpRegistry;

beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

const CLUSTER: Fields = {
  serviceName: 's',
  clusterName: 'DEFAULT',
  checkPort: 81,
  useInstancePort4Check: true,
  healthChecker: '{"type":"NONE"}',
};

const setCluster = (fields: Fields = {}) => registry.send('PUT', '/cluster', { ...CLUSTER, ...fields });
const clusters = async () => (await registry.send('GET', '/catalog/service', { serviceName: 's' })).json.clusters;
const get = (path: string, fields: Fields = {}) => registry.send('GET', path, fields);

describe('PUT /cluster', () => {
  it('sets the checker, and clears the metadata that it does not send', async () => {
    await registry.register();
    const healthChecker = '{"type":"HTTP","path":"/h","headers":"a:b","expectedResponseCode":204}';
    await setCluster({ healthChecker, useInstancePort4Check: 'no', metadata: 'a=1' });
    expect((await clusters())[0]).toMatchObject({
      name: 'DEFAULT',
      healthChecker: JSON.parse(healthChecker),
      useIPPort4Check: false,
      defCkport: 81,
      metadata: { a: '1' },
    });
    await setCluster();
    expect((await clusters())[0]).toMatchObject({ healthChecker: { type: 'NONE' }, metadata: {} });
  });

  it('makes a cluster that is not there, and leaves the settings of the service alone', async () => {
    await registry.send('POST', '/service', { serviceName: 's', protectThreshold: 0.5, metadata: 'k=v' });
    await setCluster({ clusterName: 'new' });
    expect((await clusters()).map(({ name }: { name: string }) => name)).toEqual(['new']);
    expect((await get('/service', { serviceName: 's' })).json).toMatchObject({
      protectThreshold: 0.5,
      metadata: { k: 'v' },
    });
  });

  it('pushes nothing to anybody by itself, but keeps the service alive', async () => {
    await registry.register();
    await setCluster();
    await registry.deregister();
    registry.advance(120_000);
    expect(await clusters()).toHaveLength(1);
  });

  it.each<[string, Fields, string]>([
    ['an unknown service', { serviceName: 'x' }, 'service not found:DEFAULT_GROUP@@x'],
    ['no port', { checkPort: '' }, "Param 'checkPort' is required."],
    [
      'a port that is none',
      { checkPort: 65_536 },
      "Param 'checkPort' is illegal, the value should be between 0 and 65535.",
    ],
    ['no checker', { healthChecker: '' }, "Param 'healthChecker' is required."],
    ['no flag', { useInstancePort4Check: '' }, "Param 'useInstancePort4Check' is required."],
  ])('refuses %s', async (_, fields, text) => {
    await registry.register();
    const answer = await setCluster(fields);
    expect([answer.status, answer.text]).toEqual([400, text]);
    expect((await clusters())[0].healthChecker).toEqual({ type: 'TCP' });
  });

  it('refuses one cluster too many', async () => {
    await registry.close();
    registry = await HttpRegistry.start({ serviceClusters: 2 });
    await registry.register();
    expect((await setCluster({ clusterName: 'c2' })).status).toBe(200);
    const answer = await setCluster({ clusterName: 'c3' });
    expect([answer.status, answer.text]).toEqual([
      400,
      'Cluster "c3" cannot be made in "DEFAULT_GROUP@@s": found 2 clusters in the service, allowed are 2',
    ]);
    expect((await setCluster({ clusterName: 'c2', checkPort: 1 })).status).toBe(200);
  });
});

describe('PUT /health', () => {
  const setHealth = (fields: Fields, path = '/health') => registry.send('PUT', path, { ...USUAL, ...fields });
  const healthy = async (fields: Fields = {}) => (await registry.one(fields)).json.healthy;

  it.each(['/health', '/health/instance'])('%s sets the health of a persistent instance', async (path) => {
    await registry.register({ ephemeral: false });
    await setCluster();
    expect((await setHealth({ healthy: false }, path)).text).toBe('ok');
    expect(await healthy()).toBe(false);
    expect((await setHealth({ valid: 'yes' }, path)).text).toBe('ok');
    expect(await healthy()).toBe(true);
  });

  it('sets that of an ephemeral one until its next beat', async () => {
    await registry.register();
    await setCluster();
    await setHealth({ healthy: false });
    expect(await healthy()).toBe(false);
    expect(registry.events.at(-1)).toMatchObject({ type: 'instance-unhealthy', cause: 'set-by-hand' });
    await registry.lightBeat();
    expect(await healthy()).toBe(true);
  });

  it('of a disabled instance leaves it disabled', async () => {
    await registry.register({ ephemeral: false });
    await setCluster();
    await registry.patch({ enabled: false });
    await setHealth({ healthy: false });
    await setHealth({ healthy: true });
    expect((await registry.catalog())[0]).toMatchObject({ enabled: false, healthy: true });
  });

  it('of an instance that is not there is ok and changes nothing', async () => {
    await registry.register();
    await setCluster();
    const events = registry.events.length;
    expect((await setHealth({ healthy: false, port: 1 })).text).toBe('ok');
    expect(registry.events).toHaveLength(events);
  });

  it.each<[string, Fields, string]>([
    ['a cluster that is probed', {}, 'health check is still working, service: DEFAULT_GROUP@@s, cluster: DEFAULT'],
    ['no health', { healthy: '' }, "Param 'healthy' is required."],
    ['no service', { serviceName: '' }, "Param 'serviceName' is required."],
    ['no ip', { ip: '' }, "Param 'ip' is required."],
    ['no port', { port: '' }, "Param 'port' is required."],
    ['an unknown service', { serviceName: 'x' }, 'service not found: DEFAULT_GROUP@@x'],
    [
      'an unknown cluster',
      { clusterName: 'X' },
      'Param \'clusterName\' is illegal, found "X", allowed in DEFAULT_GROUP@@s are: DEFAULT',
    ],
  ])('refuses %s', async (_, fields, text) => {
    await registry.register();
    const answer = await setHealth({ healthy: false, ...fields });
    expect([answer.status, answer.text]).toEqual([400, text]);
  });
});

describe('GET', () => {
  it('/health/server says how many services there are', async () => {
    await registry.register();
    const { json } = await get('/health/server');
    expect(json.msg).toMatch(/^Hello! I am Nacos-Naming and healthy! total services: raft 1, local port:\d+$/);
  });

  it('/health/checkers shows what a checker is made of', async () => {
    expect((await get('/health/checkers')).json).toEqual({
      TCP: {},
      HTTP: { path: '', headers: '', expectedResponseCode: 200 },
      MYSQL: { user: null, pwd: null, cmd: null },
      NONE: {},
    });
  });

  it('/catalog/rt/service shows that nothing was probed, in the number of Nacos', async () => {
    await registry.register();
    expect((await get('/catalog/rt/service', { serviceName: 's' })).text).toBe(
      '{"clusters":[{"name":"DEFAULT","checkRTBest":9223372036854775807,"checkRTWorst":0,"checkRTNormalized":2000}]}',
    );
    const unknown = await get('/catalog/rt/service', { serviceName: 'x' });
    expect([unknown.status, unknown.text]).toEqual([400, "request service doesn't exist"]);
  });
});

describe.each(['/operator', '/ops'])('%s', (prefix) => {
  const self = async () => `127.0.0.1:${(await get('/operator/servers')).json.servers[0].port}`;

  it('servers', async () => {
    expect((await get(`${prefix}/servers`)).json.servers).toMatchObject([{ ip: '127.0.0.1', state: 'UP' }]);
    expect((await get(`${prefix}/servers`, { healthy: true })).json.servers).toHaveLength(1);
    expect((await get(`${prefix}/servers`, { healthy: 'perhaps' })).status).toBe(400);
  });

  it('servers that are up, when an operator has taken the only one out', async () => {
    await registry.send('PUT', '/operator/switches', { entry: 'overriddenServerStatus', value: 'READ_ONLY' });
    expect((await get(`${prefix}/servers`)).json.servers).toMatchObject([{ state: 'DOWN' }]);
    expect((await get(`${prefix}/servers`, { healthy: true })).json.servers).toEqual([]);
  });

  it('distro: one server is responsible for everything', async () => {
    await registry.register();
    const answer = { responsibleServer: await self() };
    expect((await get(`${prefix}/distro/server`, { serviceName: 's' })).json).toEqual(answer);
    expect((await get(`${prefix}/distro/client`, { ip: '10.0.0.1', port: 1 })).json).toEqual(answer);
    const unknown = await get(`${prefix}/distro/server`, { serviceName: 'x' });
    expect([unknown.status, unknown.text]).toEqual([400, 'service not found']);
    expect((await get(`${prefix}/distro/client`, { ip: '10.0.0.1' })).text).toBe("Parameter 'port' is missing");
    expect((await get(`${prefix}/distro/status`)).json.status).toHaveLength(1);
    expect((await get(`${prefix}/distro/status`, { action: 'other' })).json).toEqual({});
  });

  it('cluster/state: it leads itself', async () => {
    const address = await self();
    expect((await get(`${prefix}/cluster/state`)).json).toEqual({
      ip: address,
      voteFor: address,
      term: 1,
      state: 'LEADER',
    });
  });

  it('log needs its parameters and changes nothing', async () => {
    const log = (fields: Fields) => registry.send('PUT', `${prefix}/log`, fields);
    expect((await log({ logName: 'naming-push', logLevel: 'OFF' })).text).toBe('ok');
    expect((await log({ logName: 'naming-push' })).text).toBe("Parameter 'logLevel' is missing");
    expect((await log({ logLevel: 'INFO' })).text).toBe("Parameter 'logName' is missing");
  });
});

describe('/api, the paths from before 1.0', () => {
  it('has every route of instances', async () => {
    expect((await registry.send('POST', '/api', USUAL)).text).toBe('ok');
    expect((await get('/api/list', { serviceName: 's' })).json.hosts).toHaveLength(1);
    expect((await registry.send('PUT', '/api/beat', USUAL)).json.code).toBe(10_200);
    expect((await registry.send('PATCH', '/api', { ...USUAL, weight: 7 })).status).toBe(200);
    expect((await get('/api', USUAL)).json.weight).toBe(7);
    expect((await registry.send('DELETE', '/api', USUAL)).text).toBe('ok');
    expect((await get('/api/list', { serviceName: 's' })).json.hosts).toEqual([]);
  });

  it('srvIPXT and clientBeat name the service dom', async () => {
    const beat = JSON.stringify({ ip: '10.0.0.1', port: 8080, weight: 3 });
    expect((await get('/api/clientBeat', { dom: 's', beat })).json.code).toBe(10_200);
    expect((await get('/api/srvIPXT', { dom: 's' })).json.hosts).toMatchObject([{ ip: '10.0.0.1', weight: 3 }]);
    for (const path of ['/api/clientBeat', '/api/srvIPXT']) {
      const answer = await get(path, { serviceName: 's', beat });
      expect([answer.status, answer.text]).toEqual([400, "Param 'dom' is required."]);
    }
  });

  it('a HEAD request beats for nobody', async () => {
    const beat = encodeURIComponent(JSON.stringify({ ip: '10.0.0.1', port: 8080 }));
    expect((await registry.raw('HEAD', `/nacos/v1/ns/api/clientBeat?dom=s&beat=${beat}`)).status).toBe(501);
    expect((await registry.raw('HEAD', '/nacos/v1/ns/api/srvIPXT?dom=s')).status).toBe(200);
    expect(await registry.serviceNames()).toEqual([]);
  });

  it('allDomNames: bare names by namespace, flat for old DNS clients', async () => {
    await registry.register({ serviceName: 'a' });
    await registry.register({ serviceName: 'a', groupName: 'g' });
    await registry.register({ serviceName: 'b' });
    await registry.register({ serviceName: 'c', namespaceId: 'dev' });
    expect((await get('/api/allDomNames')).json).toEqual({ count: 3, doms: { public: ['a', 'b'], dev: ['c'] } });
    const flat = { headers: { 'User-Agent': 'Nacos-DNS:v1.0.1' } };
    expect((await registry.send('GET', '/api/allDomNames', {}, flat)).json).toEqual({ count: 2, doms: ['a', 'b'] });
    const nested = { headers: { 'User-Agent': 'Nacos-DNS:v1.0.2' } };
    expect((await registry.send('GET', '/api/allDomNames', {}, nested)).json.count).toBe(3);
  });
});
