// Bug reports on metadata: encodings, text forms, odd values.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpRegistry, USUAL } from './http-registry.test-support.js';

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

async function listedMetadata(): Promise<unknown[]> {
  return (await registry.hosts()).map((host) => host.metadata);
}

describe('BR-012 metadata as JSON', () => {
  const metadata = { a: '1,2', b: 'x=y&z' };
  const text = JSON.stringify(metadata);
  beforeEach(() => registry.register());

  it('is read from an encoded query', async () => {
    expect((await registry.update({ metadata: text })).text).toBe('ok');
    expect(await listedMetadata()).toEqual([metadata]);
  });

  it('is read from a form', async () => {
    expect((await registry.send('PUT', '/instance', {}, { form: { ...USUAL, metadata: text } })).text).toBe('ok');
    expect(await listedMetadata()).toEqual([metadata]);
  });

  it('is read from a chunked form with a charset', async () => {
    const body = new URLSearchParams({ ...USUAL, port: '8080', serviceName: 's', metadata: text }).toString();
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'Transfer-Encoding': 'chunked',
    };
    expect((await registry.raw('PUT', '/nacos/v1/ns/instance', { body, headers })).text).toBe('ok');
    expect(await listedMetadata()).toEqual([metadata]);
  });

  it('is read from a query with raw braces', async () => {
    const target = '/nacos/v1/ns/instance?serviceName=s&ip=10.0.0.1&port=8080&metadata={"a":"1"}';
    expect((await registry.raw('PUT', target)).text).toBe('ok');
    expect(await listedMetadata()).toEqual([{ a: '1' }]);
  });
});

describe('BR-013 values with plus and percent signs are decoded once', () => {
  const metadata = { k: 'a+b', p: '100%', q: '%41', r: '%zz' };
  const text = JSON.stringify(metadata);

  it('in a query', async () => {
    await registry.register({ metadata: text });
    expect(await listedMetadata()).toEqual([metadata]);
  });

  it('in a form', async () => {
    await registry.send('POST', '/instance', {}, { form: { ...USUAL, metadata: text } });
    expect(await listedMetadata()).toEqual([metadata]);
  });

  it('in a full beat', async () => {
    await registry.fullBeat({ ip: '10.0.0.1', port: 8080, weight: 1, metadata });
    expect(await listedMetadata()).toEqual([metadata]);
  });
});

describe('BR-014 commas and equals signs', () => {
  beforeEach(() => registry.register({ metadata: '{"old":"1"}' }));

  it('stay in the values of JSON', async () => {
    const metadata = { methods: 'get,set,del', v: 'a=b' };
    await registry.update({ metadata: JSON.stringify(metadata) });
    expect(await listedMetadata()).toEqual([metadata]);
  });

  it('separate the pairs of the old text form', async () => {
    await registry.update({ metadata: 'k1=v1,k2=v2' });
    expect(await listedMetadata()).toEqual([{ k1: 'v1', k2: 'v2' }]);
  });

  it.each(['{"a":"b"', 'junk', '{"a":{"b":1}}', '[1]', 'a=b=c'])(
    'refuses "%s" and keeps the old map',
    async (metadata) => {
      const answer = await registry.update({ metadata });
      expect([answer.status, answer.text]).toEqual([400, `metadata format incorrect:${metadata}`]);
      expect(await listedMetadata()).toEqual([{ old: '1' }]);
    },
  );
});

it('BR-071 values that are no text', async () => {
  await registry.register({ metadata: '{"a":null,"b":"1","n":5,"f":1.50,"t":true}' });
  expect(await listedMetadata()).toEqual([{ b: '1', n: '5', f: '1.50', t: 'true' }]);
  await registry.register({ metadata: 'null' });
  expect(await listedMetadata()).toEqual([{}]);
});

it('keeps keys that are special elsewhere', async () => {
  await registry.register({ metadata: '{"__proto__":"a","constructor":"b","10":"x","2":"y"}' });
  const { text } = await registry.send('GET', '/instance/list', { serviceName: 's' });
  expect(text).toContain('"metadata":{"__proto__":"a","constructor":"b","10":"x","2":"y"}');
});

it('names what is too large and what is allowed', async () => {
  const answer = await registry.send(
    'POST',
    '/instance',
    {},
    { form: { ...USUAL, metadata: JSON.stringify({ k: 'x'.repeat(65536) }) } },
  );
  expect([answer.status, answer.text]).toEqual([
    400,
    "Param 'metadata' is illegal, found 65537 bytes of keys and values, allowed are 65536",
  ]);
  expect(await registry.serviceNames()).toEqual([]);
});
