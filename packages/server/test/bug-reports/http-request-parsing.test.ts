// Bug reports on where parameters may stand, and how names with odd characters behave in every call.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpRegistry, USUAL } from './http-registry.test-support.js';

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

describe.each(['POST', 'PUT', 'DELETE'])('BR-054 %s reads parameters', (method) => {
  const expected = method === 'DELETE' ? [] : [8080];
  beforeEach(() => (method === 'DELETE' ? registry.register() : undefined));

  async function expectDone(answer: { text: string }): Promise<void> {
    expect(answer.text).toBe('ok');
    expect((await registry.hosts()).map((host) => host.port)).toEqual(expected);
  }

  it('of the query', async () => expectDone(await registry.send(method, '/instance', USUAL)));

  it('of a form', async () => expectDone(await registry.send(method, '/instance', {}, { form: USUAL })));

  it('of both', async () => {
    const { serviceName, ...rest } = USUAL;
    await expectDone(await registry.send(method, '/instance', { serviceName: 's' }, { form: rest }));
    expect(serviceName).toBe('s');
  });

  it('of the query first where both have one', async () => {
    await expectDone(await registry.send(method, '/instance', USUAL, { form: { ...USUAL, port: 9999 } }));
  });

  it('once where the query repeats one', async () => {
    const target = '/nacos/v1/ns/instance?serviceName=s&ip=10.0.0.1&port=8080&port=9999&serviceName=t';
    await expectDone(await registry.raw(method, target));
    expect(await registry.serviceNames()).toEqual(['s']);
  });
});

describe('BR-054, BR-168 a JSON body is no form', () => {
  const json = (fields: object) => ({ body: JSON.stringify(fields), headers: { 'Content-Type': 'application/json' } });

  it.each([
    ['POST', '/v1/ns/instance'],
    ['POST', '/v1/ns/service'],
    ['PUT', '/v1/ns/service'],
    ['DELETE', '/v1/ns/service'],
  ])('%s %s says what is missing', async (method, path) => {
    const answer = await registry.ask(method, path, {}, json({ ...USUAL, protectThreshold: 0.5 }));
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("'serviceName' is ")]);
  });

  it.each([
    ['POST', '/v2/ns/service'],
    ['PUT', '/v2/ns/service'],
    ['POST', '/v3/admin/ns/service'],
    ['PUT', '/v3/admin/ns/service'],
  ])('%s %s says besides that it was not read', async (method, path) => {
    const answer = await registry.ask(method, path, {}, json({ ...USUAL, protectThreshold: 0.5 }));
    expect(answer).toMatchObject({ status: 400, json: { code: 10000, data: expect.stringContaining('body') } });
    expect(await registry.serviceNames()).toEqual([]);
  });
});

describe('BR-165 names that need encoding', () => {
  it.each(['{{1}}', 'a&b', 'a#b', 'a+b', 'a%b'])('"%s" is refused and touches no neighbour', async (serviceName) => {
    for (const neighbour of ['1', 'a', 'b']) await registry.send('POST', '/service', { serviceName: neighbour });
    expect((await registry.send('POST', '/service', { serviceName })).status).toBe(400);
    expect((await registry.send('DELETE', '/service', { serviceName })).status).toBe(400);
    expect(await registry.serviceNames()).toEqual(['1', 'a', 'b']);
  });
});

describe('namespaces', () => {
  const make = (fields: Record<string, string>) =>
    registry.raw('POST', `/nacos/v1/console/namespaces?${new URLSearchParams(fields)}`);
  const listed = async () => (await registry.raw('GET', '/nacos/v1/console/namespaces')).json.data;

  it('count what they hold and are deleted only when that is nothing', async () => {
    expect((await make({ customNamespaceId: 'dev', namespaceName: 'Dev' })).text).toBe('true');
    await registry.register({ namespaceId: 'dev' });
    expect(
      (await listed()).map(({ namespace, serviceCount, instanceCount }: Record<string, unknown>) => [
        namespace,
        serviceCount,
        instanceCount,
      ]),
    ).toEqual([
      ['', 0, 0],
      ['dev', 1, 1],
    ]);
    const remove = () => registry.raw('DELETE', '/nacos/v1/console/namespaces?namespaceId=dev');
    expect((await remove()).status).toBe(409);
    await registry.deregister({ namespaceId: 'dev' });
    registry.advance(60_000);
    expect((await remove()).text).toBe('true');
    expect(await listed()).toHaveLength(1);
  });

  it('are not made twice, nor under the names of the built-in one', async () => {
    for (const id of ['dev', 'dev', 'public', 'PUBLIC', 'null', 'a/b', 'x'.repeat(65)]) {
      await make({ customNamespaceId: id, namespaceName: id });
    }
    expect((await listed()).map(({ namespace }: { namespace: string }) => namespace)).toEqual(['', 'dev']);
  });
});
