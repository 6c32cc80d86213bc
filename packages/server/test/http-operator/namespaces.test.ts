// Namespaces on v2 and v3. Source: ops contract 2, http-v2-v3 contract 8.3.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, HttpRegistry, USUAL } from '../bug-reports/http-registry.test-support.js';

let registry: HttpRegistry;

beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

describe.each([
  { path: '/v2/console/namespace', builtIn: '', madeType: 2, taken: 22000 },
  { path: '/v3/admin/core/namespace', builtIn: 'public', madeType: 1, taken: 22002 },
])('$path', ({ path, builtIn, madeType, taken }) => {
  const send = (method: string, fields: Fields = {}) => registry.ask(method, path, fields);
  const make = (fields: Fields = {}) => send('POST', { namespaceId: 'dev', namespaceName: 'Dev', ...fields });
  const list = async () => (await registry.ask('GET', `${path}/list`)).json.data;

  it('makes, shows, changes and deletes', async () => {
    expect((await make({ namespaceDesc: 'd' })).json).toEqual({ code: 0, message: 'success', data: true });
    const shown = { namespace: 'dev', namespaceShowName: 'Dev', namespaceDesc: 'd', type: madeType };
    expect((await send('GET', { namespaceId: 'dev' })).json.data).toMatchObject(shown);
    await send('PUT', { namespaceId: 'dev', namespaceName: 'Two' });
    expect((await list())[1]).toMatchObject({ namespaceShowName: 'Two', namespaceDesc: null, serviceCount: 0 });
    expect((await send('DELETE', { namespaceId: 'dev' })).json.data).toBe(true);
    expect((await send('GET', { namespaceId: 'dev' })).json).toMatchObject({
      code: 22001,
      data: 'namespaceId [ dev ] not exist',
    });
  });

  it('shows the built-in one first, under both its names', async () => {
    await make();
    await registry.register();
    expect((await list())[0]).toMatchObject({ namespace: builtIn, type: 0, serviceCount: 1, instanceCount: 1 });
    for (const namespaceId of ['', 'public']) {
      expect((await send('GET', { namespaceId })).json.data).toMatchObject({ namespace: builtIn, type: 0 });
    }
  });

  it('gives a random id when a blank one is sent', async () => {
    await make({ namespaceId: ' ' });
    expect((await list())[1].namespace).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['dev', 'public', 'Public', 'null'])('refuses the id %s, which is taken', async (namespaceId) => {
    await make();
    const answer = await make({ namespaceId });
    expect([answer.status, answer.json.code]).toEqual([400, taken]);
    expect(await list()).toHaveLength(2);
  });

  it.each<[Fields, string]>([
    [
      { namespaceId: 'a.b' },
      "Param 'namespaceId/tenant' is illegal, illegal characters should not appear in the param.",
    ],
    [{ namespaceId: 'a'.repeat(129) }, "Param 'namespaceId/tenant' is illegal, the param length should not exceed"],
    [{ namespaceName: 'a#b' }, "Param 'namespaceShowName' is illegal, illegal characters should not appear"],
    [{ namespaceName: 'a\nb' }, "Param 'namespaceShowName' is illegal, illegal characters should not appear"],
    [{ namespaceName: 'a'.repeat(300) }, "Param 'namespaceShowName' is illegal, the param length should not exceed"],
  ])('refuses %j as plain text', async (fields, text) => {
    const answer = await make(fields);
    expect([answer.status, answer.contentType]).toEqual([400, 'text/plain;charset=UTF-8']);
    expect(answer.text).toContain(text);
  });

  it('names what is missing, the id first', async () => {
    expect((await send('POST')).json.data).toBe("required parameter 'namespaceId' is missing");
    expect((await send('PUT', { namespaceId: 'dev' })).json.data).toBe("required parameter 'namespaceName' is missing");
    for (const method of ['GET', 'DELETE'])
      expect((await send(method)).json.data).toBe(
        "Required request parameter 'namespaceId' for method parameter type String is not present",
      );
  });

  it('keeps a namespace that has services', async () => {
    await make();
    await registry.ask('POST', '/v1/ns/instance', { ...USUAL, namespaceId: 'dev' });
    const answer = await send('DELETE', { namespaceId: 'dev' });
    expect([answer.status, answer.json.code]).toEqual([409, 20005]);
    expect(await list()).toHaveLength(2);
  });

  it('takes a change of an unknown one, which changes nothing', async () => {
    expect((await send('PUT', { namespaceId: 'x', namespaceName: 'x' })).json.data).toBe(true);
    expect(await list()).toHaveLength(1);
  });
});

it('/v3/admin/core/namespace/check counts those that somebody made', async () => {
  const check = async (namespaceId: string) =>
    (await registry.ask('GET', '/v3/admin/core/namespace/check', { namespaceId })).json.data;
  await registry.ask('POST', '/v3/admin/core/namespace', { namespaceId: 'dev', namespaceName: 'n' });
  expect([await check('dev'), await check('other'), await check('public')]).toEqual([1, 0, 0]);
});
