// Instances over HTTP v2: what the golden cases do not reach.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

const INSTANCE = '/v2/ns/instance';
const OK = { code: 0, message: 'success', data: 'ok' };

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

const send = (method: string, fields: Fields = {}, path = INSTANCE) =>
  registry.ask(method, path, { ...USUAL, ...fields });
const hosts = async (fields: Fields = {}) =>
  (await registry.ask('GET', `${INSTANCE}/list`, { serviceName: 's', ...fields })).json.data.hosts;
const refused = async (method: string, fields: Fields, path?: string) => {
  const { status, json } = await send(method, fields, path);
  return { status, ...json };
};

describe('registering', () => {
  it('is seen over every version, and as the work of v2 in events', async () => {
    expect((await send('POST', { metadata: 'a=1' })).json).toEqual(OK);
    expect(await registry.hosts()).toMatchObject([{ ip: '10.0.0.1', metadata: { a: '1' } }]);
    const client = await registry.ask('GET', '/v3/client/ns/instance/list', { serviceName: 's' });
    expect(client.json.data).toMatchObject([{ ip: '10.0.0.1', metadata: { a: '1' } }]);
    expect(registry.events).toContainEqual(
      expect.objectContaining({ actor: { via: 'http-v2', address: '127.0.0.1' } }),
    );
  });

  it('takes the kind from the switch when the request does not say', async () => {
    await registry.send('PUT', '/operator/switches', { entry: 'defaultInstanceEphemeral', value: false });
    await send('POST');
    expect(await hosts()).toMatchObject([{ ephemeral: false }]);
  });

  it.each([
    ['ephemeral', 'persistent', { ephemeral: false }],
    ['persistent', 'ephemeral', { ephemeral: true }],
  ])('of the second kind is refused while there are only %s ones', async (first, second, fields) => {
    await send('POST', { ephemeral: first === 'ephemeral' });
    const text = `Current service DEFAULT_GROUP@@s is ${first} service, can't register ${second} instance.`;
    const clash = { status: 400, code: 30000, message: 'server error', data: `errCode: 400, errMsg: ${text} ` };
    expect(await refused('POST', { ...fields, ip: '10.0.0.2' })).toEqual(clash);
    expect(await refused('PUT', { ...fields, ip: '10.0.0.2' })).toEqual(clash);
    await send('DELETE', { ephemeral: first === 'ephemeral' });
    expect((await send('POST', { ...fields, ip: '10.0.0.2' })).json).toEqual(OK);
  });

  it.each([
    [{ weight: 'x' }, 400, 20002],
    [{ weight: 'NaN' }, 400, 21001],
    [{ enabled: 'maybe' }, 400, 20002],
    [{ metadata: '{"a":' }, 400, 21002],
    [{ metadata: 'preserved.heart.beat.interval=60000' }, 400, 21004],
    [{ clusterName: 'a_b' }, 400, 21004],
    [{ serviceName: '' }, 400, 10000],
    [{ serviceName: '@@s' }, 400, 20002],
    [{ metadata: `a=${'x'.repeat(70_000)}` }, 400, 20002],
  ])('with %j is refused and leaves nothing', async (fields, status, code) => {
    expect(await refused('POST', fields as Fields)).toMatchObject({ status, code });
    expect([...registry.runner.core.services()]).toEqual([]);
  });

  it('with a name that is not allowed is refused as plain text, before anything is missing', async () => {
    const { status, contentType, text } = await registry.ask('POST', INSTANCE, { port: '70000' });
    expect({ status, text }).toEqual({
      status: 400,
      text: "Param 'port' is illegal, the value should be between 0 and 65535.",
    });
    expect(contentType).toMatch(/^text\/plain/);
  });
});

describe('an operator', () => {
  it('lays weight, enabled and metadata over what clients register; what is not sent has its default until they do', async () => {
    await send('POST', { weight: 3, metadata: 'a=1' });
    await send('PUT', { metadata: 'b=2' });
    expect(await hosts()).toMatchObject([{ weight: 1, metadata: { a: '1', b: '2' } }]);
    await send('POST', { weight: 3, metadata: 'a=2' });
    expect(await hosts()).toMatchObject([{ weight: 3, metadata: { a: '2', b: '2' } }]);
    await send('PUT', { weight: 5, enabled: false });
    await send('POST', { weight: 3, metadata: 'a=3' });
    expect(await hosts()).toEqual([]);
    await send('PUT', { weight: 5, enabled: true });
    expect(await hosts()).toMatchObject([{ weight: 5, metadata: { a: '3' } }]);
  });

  it('edits the instance that is there when the request names no kind', async () => {
    await send('POST', { ephemeral: false });
    await send('PUT', { weight: 5, enabled: true });
    expect(await hosts()).toMatchObject([{ weight: 5, ephemeral: false }]);
  });

  it('registers an unknown instance of a known service, and is refused for an unknown service', async () => {
    await send('POST');
    await send('PUT', { ip: '10.0.0.2' });
    expect(await hosts()).toHaveLength(2);
    expect(await refused('PUT', { serviceName: 'none' })).toEqual({
      status: 400,
      code: 21004,
      message: 'instance error',
      data: 'service not found, namespace: public, service: DEFAULT_GROUP@@none',
    });
  });

  it('does not renew a lease by an edit', async () => {
    await send('POST');
    registry.advance(14_000);
    await send('PUT', { weight: 2, enabled: true });
    registry.advance(1000);
    expect(await hosts()).toMatchObject([{ weight: 2, healthy: false }]);
  });
});

describe('metadata of many instances', () => {
  const batch = async (method: string, fields: Fields) => refused(method, fields, `${INSTANCE}/metadata/batch`);

  beforeEach(async () => {
    await send('POST', { metadata: 'a=1' });
    await send('POST', { ip: '10.0.0.2', ephemeral: true });
  });

  it('reaches all of the kind, or the named ones', async () => {
    const updated = ['10.0.0.1:8080:unknown:DEFAULT:ephemeral', '10.0.0.2:8080:unknown:DEFAULT:ephemeral'];
    expect(await batch('PUT', { metadata: 'k=v' })).toMatchObject({ code: 0, data: { updated } });
    const instances = '[{"ip":"10.0.0.1","port":8080,"clusterName":"DEFAULT"},{"ip":"10.0.0.9","port":8080}]';
    expect(await batch('DELETE', { metadata: '{"a":""}', instances })).toMatchObject({
      data: { updated: [updated[0]] },
    });
    expect(await batch('PUT', { metadata: 'p=1', consistencyType: 'persist' })).toMatchObject({
      data: { updated: [] },
    });
    expect(await hosts()).toMatchObject([{ metadata: { k: 'v' } }, { metadata: { k: 'v' } }]);
  });

  it.each(['junk', '{}', '[{"port":1}]'])('is refused when the instances read %s', async (instances) => {
    expect(await batch('PUT', { metadata: 'k=v', instances })).toMatchObject({ status: 400, code: 20002 });
    expect(await hosts()).toMatchObject([{ metadata: { a: '1' } }, { metadata: {} }]);
  });

  it('of a service that is not there edits nothing', async () => {
    expect(await batch('PUT', { metadata: 'k=v', serviceName: 'none' })).toMatchObject({ data: { updated: [] } });
  });
});

describe('beats', () => {
  const beat = (fields: Fields) =>
    registry.ask('PUT', `${INSTANCE}/beat`, { serviceName: 'DEFAULT_GROUP@@s', ...fields });

  it('keep an instance alive', async () => {
    await send('POST');
    registry.advance(14_000);
    expect((await beat({ ip: '10.0.0.1', port: 8080 })).json).toEqual({
      clientBeatInterval: 5000,
      code: 10200,
      lightBeatEnabled: true,
    });
    registry.advance(14_000);
    expect(await hosts()).toMatchObject([{ healthy: true }]);
  });

  it('that carry an instance do not bring a second kind into a service', async () => {
    await send('POST', { ephemeral: false });
    const { status, json } = await beat({ beat: '{"ip":"10.0.0.2","port":8080}' });
    expect({ status, code: json.code }).toEqual({ status: 400, code: 30000 });
  });
});

describe('lists', () => {
  it('are the same answer until something changes', async () => {
    await send('POST');
    const first = await registry.ask('GET', `${INSTANCE}/list`, { serviceName: 's' });
    registry.advance(1000);
    expect((await registry.ask('GET', `${INSTANCE}/list`, { serviceName: 's' })).text).toBe(first.text);
    await send('POST', { ip: '10.0.0.2' });
    const next = await registry.ask('GET', `${INSTANCE}/list`, { serviceName: 's' });
    expect(next.json.data.hosts).toHaveLength(2);
    expect(next.json.data.lastRefTime).toBeGreaterThan(first.json.data.lastRefTime);
  });

  it('show real health in the health map, ephemeral ones alone', async () => {
    await send('POST', { healthy: false });
    await registry.send('POST', '/instance', { ...USUAL, ip: '10.0.0.2', ephemeral: false });
    const { json } = await registry.ask('GET', `${INSTANCE}/statuses/public%23%23DEFAULT_GROUP@@s`);
    expect(json).toEqual({ ips: ['10.0.0.1:8080_false'] });
  });
});

it('BR-049 an unknown cluster or service is a 404 on the admin list of v3, and an empty list on v2', async () => {
  await send('POST');
  expect(await hosts({ clusterName: 'nope' })).toEqual([]);
  const list = (fields: Fields) => registry.ask('GET', '/v3/admin/ns/instance/list', { serviceName: 's', ...fields });
  expect(await list({ clusterName: 'nope' })).toMatchObject({
    status: 404,
    json: { code: 30000, data: 'cluster nope is not found!' },
  });
  expect(await list({ serviceName: 'none' })).toMatchObject({ status: 404, json: { code: 30000 } });
});

it('BR-054 fields may be in the query, in a form body, or in both', async () => {
  const { serviceName, ...rest } = USUAL;
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const split = await registry.ask(method, INSTANCE, { serviceName: serviceName as string }, { form: rest });
    expect(split.json).toEqual(OK);
  }
});

it('BR-055 reads take the plain name, also with its group in front, and a missing instance is a 404', async () => {
  await send('POST', { groupName: 'g' });
  expect(await hosts({ groupName: 'g' })).toHaveLength(1);
  expect(await hosts({ serviceName: 'g@@s' })).toHaveLength(1);
  expect(await hosts({ serviceName: 'DEFAULT_GROUP@@s' })).toEqual([]);
  expect((await send('GET', { groupName: 'g' })).json.data).toMatchObject({ serviceName: 'g@@s', healthy: true });
  expect(await refused('GET', {})).toMatchObject({ status: 404, code: 20004 });
});
