// The API description of the built server: valid by a validator that we did not write, complete, and true of the routes that
// no golden case asks for.

import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DescribedApi } from '../src/openapi/described-api.js';
import { openServer, type ServerUnderTest } from '../src/server-under-test.js';

interface Operation {
  readonly summary: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

let server: ServerUnderTest;
let base: string;
let api: DescribedApi;

beforeAll(async () => {
  server = await openServer(undefined);
  const { host, port, contextPath } = server.endpoint;
  base = `http://${host}:${port}${contextPath}`;
  api = await DescribedApi.of(base);
});
afterAll(() => server.close());

it('is valid OpenAPI', async () => {
  const result = await new Validator().validate(structuredClone(api.document));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

it('has no operation without a good answer but those that say that they refuse everybody', () => {
  const { paths } = api.document as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const refusing = operations.filter(({ responses }) => responses['200'] === undefined);
  const unexplained = refusing.filter(({ summary }) => !/^Not offered: |knows no users/.test(summary));
  expect(unexplained).toEqual([]);
  expect(operations.length).toBeGreaterThan(150);
});

describe('answers that it describes', () => {
  const INSTANCE = 'serviceName=described&ip=10.9.0.1&port=80';
  const CLIENT = '10.9.0.1:80%23true';

  beforeAll(async () => {
    await send('POST', `/v1/ns/instance?${INSTANCE}&metadata=a=b`);
    await send('PUT', `/v1/ns/instance?${INSTANCE}&weight=2`);
    await send('GET', '/v1/ns/instance/list?serviceName=described&udpPort=9&clientIP=127.0.0.1', {
      'User-Agent': 'Nacos-Java-Client:v1.4.8',
    });
    await send('POST', `/v1/ns/instance?${INSTANCE}1&ephemeral=false`);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/rollcall/v1/status'],
    ['GET', '/rollcall/v1/services'],
    ['GET', '/rollcall/v1/instances?serviceName=described'],
    ['GET', `/rollcall/v1/instance?${INSTANCE}`],
    ['GET', '/rollcall/v1/instance?serviceName=described&ip=1&port=1'],
    ['DELETE', `/rollcall/v1/instance/edits?${INSTANCE}`],
    ['GET', '/rollcall/v1/subscribers'],
    ['GET', '/rollcall/v1/openapi.json'],
    ['GET', '/rollcall/v1/metrics'],
    ['GET', '/prometheus/namespaceId/public/service/described'],
    ['GET', '/v1/ns/catalog/rt/service?serviceName=described'],
    ['GET', '/v1/ns/operator/push/state?detail=true'],
    ['GET', '/v1/ns/operator/servers'],
    ['GET', '/v1/ns/operator/distro/status'],
    ['GET', '/v1/ns/operator/cluster/state'],
    ['GET', '/v1/ns/health/server'],
    ['GET', '/v2/core/loader/current'],
    ['GET', '/v2/core/loader/cluster'],
    ['GET', '/v2/core/loader/reloadCurrent?count=100'],
    ['GET', '/v2/core/cluster/node/self'],
    ['GET', '/v2/core/cluster/node/list'],
    ['DELETE', '/v2/core/cluster/nodes'],
    ['GET', '/v2/console/health/readiness'],
    ['GET', '/v3/admin/core/cluster/node/self'],
    ['GET', '/v3/admin/core/cluster/node/list?state=up'],
    ['GET', '/v3/admin/core/loader/current'],
    ['GET', '/v3/admin/core/loader/cluster'],
    ['POST', '/v3/admin/core/loader/reloadClient?connectionId=none'],
    ['GET', '/v3/admin/core/namespace?namespaceId=public'],
    ['PUT', '/v3/admin/ns/cluster?serviceName=described'],
    ['PUT', '/v3/admin/ns/ops/log?logName=a&logLevel=INFO'],
    ['GET', '/v2/ns/instance?serviceName=none&ip=1&port=1'],
    ['GET', '/v2/ns/service/list'],
    ['GET', '/v2/ns/client/list'],
    ['GET', `/v2/ns/client?clientId=${CLIENT}`],
    ['GET', `/v2/ns/client/publish/list?clientId=${CLIENT}`],
    ['GET', '/v2/ns/client/subscribe/list?clientId=127.0.0.1:9%23true'],
    ['GET', '/v2/ns/client/service/publisher/list?serviceName=described'],
    ['GET', '/v2/ns/client/service/subscriber/list?serviceName=described'],
    ['GET', `/v3/admin/ns/instance?${INSTANCE}`],
    ['GET', '/v3/admin/ns/instance/list?serviceName=none'],
    ['PUT', '/v3/admin/ns/instance/metadata/batch?serviceName=described&metadata=a=c'],
    ['DELETE', '/v3/admin/ns/instance/metadata/batch?serviceName=described&metadata=a=c'],
    ['GET', '/v3/admin/ns/service/list'],
    ['GET', '/v3/admin/ns/service/list?withInstances=true'],
    ['GET', '/v3/admin/ns/service/list?pageNo=0'],
    ['GET', '/v3/admin/ns/service/subscribers?serviceName=described'],
    ['GET', '/v3/admin/ns/service/selector/types'],
    ['GET', '/v3/admin/ns/client/list'],
    ['GET', `/v3/admin/ns/client?clientId=${CLIENT}`],
    ['GET', `/v3/admin/ns/client/publish/list?clientId=${CLIENT}`],
    ['GET', '/v3/admin/ns/client/subscribe/list?clientId=127.0.0.1:9%23true'],
    ['GET', '/v3/admin/ns/client/service/publisher/list?serviceName=described'],
    ['GET', '/v3/admin/ns/client/service/subscriber/list?serviceName=described'],
    ['GET', '/v3/admin/ns/client/distro?ip=1&port=1'],
  ])('%s %s', async (method, target) => {
    const response = await send(method, target);
    const [path = ''] = target.split('?');
    const contentType = response.headers.get('content-type') ?? undefined;
    const exchange = { method, path, status: response.status, contentType, body: await response.text() };
    expect(exchange.status).toBeLessThan(405);
    expect(api.misfit(exchange)).toBeUndefined();
  });
});

it('says so when an answer is not as described', () => {
  const exchange = { method: 'GET', path: '/v1/ns/operator/metrics', status: 200, contentType: 'application/json' };
  expect(api.misfit({ ...exchange, body: '{"status":"UP"}' })).toMatch(/required property/);
  const unnamed = { ...exchange, path: '/actuator/health', body: '{"status":"UP","groups":[]}' };
  expect(api.misfit(unnamed)).toMatch(/additional properties/);
  expect(api.misfit({ ...exchange, path: '/nowhere', body: '{}' })).toMatch(/not described/);
});

function send(method: string, target: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(base + target, { method, headers });
}
