// Bug reports on what an operator changes, and how long that lasts.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpRegistry, USUAL } from './http-registry.test-support.js';

let registry: HttpRegistry;
beforeEach(async () => {
  registry = await HttpRegistry.start();
});
afterEach(() => registry.close());

describe('BR-015 taking an instance out and back', () => {
  beforeEach(() => registry.register({ weight: 3, metadata: 'v=1' }));

  it('by PATCH keeps weight and metadata', async () => {
    await registry.patch({ enabled: false });
    expect(await registry.hosts()).toEqual([]);
    await registry.patch({ enabled: true });
    expect(await registry.hosts()).toMatchObject([{ weight: 3, metadata: { v: '1' } }]);
  });

  it('by PUT writes the defaults of what is not sent, as in 1.4.8, until the next registration', async () => {
    await registry.update({ enabled: true });
    expect(await registry.hosts()).toMatchObject([{ weight: 1, metadata: {} }]);
    await registry.register({ weight: 3, metadata: 'v=1' });
    expect(await registry.hosts()).toMatchObject([{ weight: 3, metadata: { v: '1' } }]);
  });
});

it('BR-016 toggling enabled does not freeze old metadata', async () => {
  await registry.register({ metadata: 'v=1' });
  await registry.patch({ enabled: false });
  await registry.patch({ enabled: true });
  await registry.deregister();
  await registry.register({ metadata: 'v=2' });
  expect(await registry.hosts()).toMatchObject([{ metadata: { v: '2' } }]);
});

describe('BR-017 an edit outlives its instance by 60 s', () => {
  beforeEach(async () => {
    await registry.register({ weight: 1 });
    await registry.update({ weight: 0 });
    await registry.deregister();
  });

  it.each([
    [5_000, 0],
    [59_999, 0],
    [60_000, 1],
    [600_000, 1],
  ])('registered again after %d ms it has weight %d', async (ms, weight) => {
    registry.advance(ms);
    await registry.register({ weight: 1 });
    expect(await registry.hosts()).toMatchObject([{ weight }]);
  });
});

it('BR-169 an edit shows at once in every view, and time after time', async () => {
  await registry.register({ ephemeral: false });
  await registry.update({ ephemeral: false, weight: 9, enabled: true });
  const listed = async (path: string) => (await registry.ask('GET', path, { serviceName: 's' })).json.data.hosts ?? [];
  for (let i = 0; i < 10; i++) {
    expect((await registry.hosts()).map(({ weight }) => weight)).toEqual([9]);
    expect((await registry.catalog()).map(({ weight }) => weight)).toEqual([9]);
    expect((await registry.one()).json.weight).toBe(9);
    expect((await listed('/v2/ns/instance/list')).map(({ weight }: { weight: number }) => weight)).toEqual([9]);
  }
});

it('BR-018 the same holds for a persistent instance', async () => {
  const persistent = { ephemeral: false };
  await registry.register({ ...persistent, metadata: 'a=1' });
  await registry.update({ ...persistent, metadata: 'old=x' });
  await registry.deregister(persistent);
  registry.advance(60_000);
  await registry.register({ ...persistent, metadata: 'new=y' });
  expect(await registry.hosts()).toMatchObject([{ metadata: { new: 'y' }, ephemeral: false }]);
});

it('BR-021 a beat changes nothing but the time of the last beat', async () => {
  await registry.register({ metadata: 'v=1', weight: 1 });
  await registry.update({ metadata: 'v=2', weight: 5, enabled: false });
  registry.advance(1000);
  await registry.fullBeat({ ip: '10.0.0.1', port: 8080, weight: 1, metadata: { v: '1' } });
  expect(await registry.catalog()).toMatchObject([{ metadata: { v: '2' }, weight: 5, enabled: false }]);
});

it('an edit does not renew the lease', async () => {
  await registry.register();
  registry.advance(14_999);
  await registry.patch({ weight: 2 });
  await registry.update({ weight: 3 });
  registry.advance(1);
  expect((await registry.one()).json.healthy).toBe(false);
});

it('BR-036 editing a persistent instance leaves its kind and that of the others', async () => {
  const ports = [8080, 8081, 8082];
  for (const port of ports) await registry.register({ port, ephemeral: false });
  await registry.update({ port: 8081, ephemeral: false, weight: 2 });
  registry.advance(600_000);
  const hosts = await registry.hosts();
  expect(hosts.map(({ port, ephemeral, weight }) => [port, ephemeral, weight])).toEqual([
    [8080, false, 1],
    [8081, false, 2],
    [8082, false, 1],
  ]);
});

describe('keys set on many instances at once', () => {
  const batch = { serviceName: 's', metadata: 'k=v', consistencyType: 'ephemeral' };

  it('survive a registration, and a removed key comes back with it', async () => {
    await registry.register({ metadata: 'a=1' });
    await registry.send('PUT', '/instance/metadata/batch', batch);
    await registry.send('DELETE', '/instance/metadata/batch', { ...batch, metadata: 'a=1' });
    expect(await registry.hosts()).toMatchObject([{ metadata: { k: 'v' } }]);
    await registry.register({ metadata: 'a=1' });
    expect((await registry.hosts()).map((host) => host.metadata)).toEqual([{ a: '1', k: 'v' }]);
  });

  it('leave other instances alone', async () => {
    await registry.register();
    await registry.register({ port: 8081 });
    const instances = JSON.stringify([
      { ip: USUAL.ip, port: 8081 },
      { ip: USUAL.ip, port: 9999 },
    ]);
    const answer = await registry.send('PUT', '/instance/metadata/batch', {
      serviceName: 's',
      metadata: 'k=v',
      instances,
    });
    expect(answer.json).toEqual({ updated: ['10.0.0.1:8081:unknown:DEFAULT:ephemeral'] });
    expect((await registry.hosts()).map(({ port, metadata }) => [port, metadata])).toEqual([
      [8080, {}],
      [8081, { k: 'v' }],
    ]);
  });
});
