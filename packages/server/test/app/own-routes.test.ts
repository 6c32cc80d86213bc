// Our own routes: what is shown of a service and an instance, edits and their end, the watch, the page for browsers.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstanceAnswer, InstancesAnswer, ServicesAnswer, StatusAnswer } from '../../src/index.js';
import { ServerFixture, type StartedServer } from './started-server.test-support.js';

let fixture: ServerFixture;
let server: StartedServer;
beforeAll(async () => {
  fixture = new ServerFixture();
  server = await fixture.start();
});
afterAll(() => fixture.remove());

/** An instance of a service that no other test uses. */
async function registered(serviceName: string, more: Record<string, string> = {}) {
  const target = { serviceName, ip: '10.0.0.1', port: '8080' };
  expect(await server.text('POST', '/nacos/v1/ns/instance', { ...target, ...more })).toBe('ok');
  return target;
}

describe('status', () => {
  it('says what runs, where, and what it holds', async () => {
    await registered('status');
    const status = await server.json<StatusAnswer>('GET', '/rollcall/v1/status');
    expect(status).toMatchObject({
      product: 'rollcall',
      mode: 'standalone',
      status: 'UP',
      urls: [server.url],
      contextPath: '/nacos',
      dataDirectory: fixture.directory,
    });
    expect(status.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(status.counts.services).toBeGreaterThan(0);
    expect(status.counts.ephemeralInstances).toBeGreaterThan(0);
  });

  it('is found below the context path, too', async () => {
    expect((await server.fetch('GET', '/nacos/rollcall/v1/status')).status).toBe(200);
  });
});

describe('services', () => {
  it('are sorted, filtered and paged', async () => {
    for (const serviceName of ['g1@@b', 'g1@@a', 'g2@@c']) {
      await registered(serviceName, { namespaceId: 'listing' });
    }
    const list = (parameters: Record<string, string>) =>
      server.json<ServicesAnswer>('GET', '/rollcall/v1/services', { namespaceId: 'listing', ...parameters });
    const names = ({ services }: ServicesAnswer) =>
      services.map(({ groupName, serviceName }) => groupName + serviceName);
    expect(names(await list({}))).toEqual(['g1a', 'g1b', 'g2c']);
    expect(names(await list({ groupName: 'g2' }))).toEqual(['g2c']);
    expect(await list({ pageNo: '2', pageSize: '2' })).toMatchObject({ count: 3, services: [{ serviceName: 'c' }] });
    const all = await list({ namespaceId: '*' });
    expect(all.count).toBeGreaterThanOrEqual(3);
  });
});

describe('instances', () => {
  it('shows all with real health, and metadata keys of any name', async () => {
    const target = await registered('shown', {
      metadata: '{"__proto__":"x","a":"1"}',
      weight: '0.5',
      enabled: 'false',
    });
    const answer = await server.text('GET', '/rollcall/v1/instances', target);
    expect(answer).toContain('"metadata":{"__proto__":"x","a":"1"}');
    expect((JSON.parse(answer) as InstancesAnswer).instances).toMatchObject([
      {
        ip: '10.0.0.1',
        port: 8080,
        cluster: 'DEFAULT',
        kind: 'ephemeral',
        healthy: true,
        enabled: false,
        weight: 0.5,
        beatTimeoutMs: 15_000,
        deleteTimeoutMs: 30_000,
        edited: [],
        publishers: ['http'],
      },
    ]);
  });

  it('refuses a service that does not exist', async () => {
    const response = await server.fetch('GET', '/rollcall/v1/instances', { serviceName: 'nothing' });
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('No service "DEFAULT_GROUP@@nothing" in namespace "public"');
  });
});

describe('edits', () => {
  it('are shown beside what was registered, and end with a reset', async () => {
    const target = await registered('edited', { metadata: 'color=red,keep=1' });
    await server.text('PATCH', '/nacos/v1/ns/instance', { ...target, weight: '7' });
    await server.text('PUT', '/nacos/v1/ns/instance/metadata/batch', {
      ...target,
      metadata: 'color=blue',
      consistencyType: 'ephemeral',
    });
    const show = () => server.json<InstanceAnswer>('GET', '/rollcall/v1/instance', target);
    expect(await show()).toMatchObject({
      edited: ['weight', 'metadata.color'],
      registered: { weight: 1, metadata: { color: 'red', keep: '1' } },
      edits: { weight: 7, metadata: { color: 'blue' } },
      inForce: { weight: 7, metadata: { color: 'blue', keep: '1' } },
    });
    const reset = () => server.json('DELETE', '/rollcall/v1/instance/edits', target);
    expect(await reset()).toEqual({ reset: true });
    expect(await show()).toMatchObject({ edited: [], edits: null, inForce: { weight: 1, metadata: { color: 'red' } } });
    expect(await reset()).toEqual({ reset: false });
  });

  it('takes back a removal of a key, too', async () => {
    const target = await registered('removed-key', { metadata: 'a=1,b=2' });
    await server.text('DELETE', '/nacos/v1/ns/instance/metadata/batch', {
      ...target,
      metadata: '{"a":""}',
      consistencyType: 'ephemeral',
    });
    const show = () => server.json<InstanceAnswer>('GET', '/rollcall/v1/instance', target);
    expect((await show()).inForce.metadata).toEqual({ b: '2' });
    await server.text('DELETE', '/rollcall/v1/instance/edits', target);
    expect((await show()).inForce.metadata).toEqual({ a: '1', b: '2' });
  });

  it('tells the kinds at one address apart', async () => {
    const target = await registered('both');
    await registered('both', { ephemeral: 'false' });
    const kindOf = async (more: Record<string, string>) =>
      (await server.json<InstanceAnswer>('GET', '/rollcall/v1/instance', { ...target, ...more })).kind;
    expect(await kindOf({})).toBe('persistent');
    expect(await kindOf({ ephemeral: 'true' })).toBe('ephemeral');
    expect(await kindOf({ ephemeral: 'false' })).toBe('persistent');
  });

  it('refuses an instance that does not exist and names what it looked for', async () => {
    const target = { serviceName: 'nobody', ip: '10.0.0.9', port: '1', ephemeral: 'true' };
    const response = await server.fetch('DELETE', '/rollcall/v1/instance/edits', target);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe(
      'No ephemeral instance "10.0.0.9:1" in cluster "DEFAULT" of service "DEFAULT_GROUP@@nobody" in namespace "public"',
    );
  });
});

describe('a watch', () => {
  it('tells the list at once, and again after each change', async () => {
    const abort = new AbortController();
    const response = await fetch(`${server.url}/rollcall/v1/watch?serviceName=watched`, { signal: abort.signal });
    const lists = listsOf(response);
    const next = async () => ((await lists.next()).value as InstancesAnswer).instances.map((each) => each.weight);
    expect(await next()).toEqual([]);
    const target = await registered('watched');
    expect(await next()).toEqual([1]);
    await server.text('PATCH', '/nacos/v1/ns/instance', { ...target, weight: '3' });
    expect(await next()).toEqual([3]);
    await server.text('DELETE', '/nacos/v1/ns/instance', target);
    expect(await next()).toEqual([]);
    abort.abort();
  });

  it('refuses a request without a service before the stream begins', async () => {
    const response = await server.fetch('GET', '/rollcall/v1/watch');
    expect(response.status).toBe(400);
    expect(await response.text()).toBe("Param 'serviceName' is required.");
  });
});

describe('the page for browsers', () => {
  it.each(['/', '/nacos', '/nacos/'])('is at %s, without scripts, with counts and lines to try', async (path) => {
    const response = await server.fetch('GET', path);
    expect(response.headers.get('content-type')).toBe('text/html;charset=UTF-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await response.text();
    expect(html).toContain('<td>Instances</td>');
    expect(html).toContain(`${server.url}/nacos/v1/ns/instance/list?serviceName=demo`);
    expect(html).not.toContain('<script');
  });
});

async function* listsOf({ body }: Response): AsyncGenerator<InstancesAnswer> {
  const decoder = new TextDecoder();
  let waiting = '';
  for await (const chunk of body ?? []) {
    waiting += decoder.decode(chunk as Uint8Array, { stream: true });
    const events = waiting.split('\n\n');
    waiting = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice(6)) as InstancesAnswer;
    }
  }
}
