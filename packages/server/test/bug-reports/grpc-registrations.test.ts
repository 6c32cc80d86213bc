// Reports about registrations over gRPC, against a whole server: the same port speaks HTTP, and both see one registry.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GrpcClient } from '../../src/adapters/grpc/grpc-client.test-support.js';
import { ServerFixture, type StartedServer } from '../app/started-server.test-support.js';

const fixture = new ServerFixture();
const opened: GrpcClient[] = [];
let server: StartedServer;

beforeAll(async () => {
  server = await fixture.start({ limitMetadataBytes: '1024' });
});
afterEach(() => {
  for (const client of opened.splice(0)) client.close();
});
afterAll(() => fixture.remove());

async function client(): Promise<GrpcClient> {
  const made = await GrpcClient.open(server.server.address.port);
  opened.push(made);
  return made;
}

interface Host {
  readonly ip: string;
  readonly port: number;
  readonly instanceId: string;
}

async function listed(serviceName: string, parameters: Record<string, string> = {}): Promise<Host[]> {
  const query = { serviceName, ...parameters };
  return (await server.json<{ hosts: Host[] }>('GET', '/nacos/v1/ns/instance/list', query)).hosts;
}

const addresses = (hosts: readonly Host[]) => hosts.map(({ ip, port }) => `${ip}:${port}`).sort();

describe('BR-063 a namespace that is empty, null, missing or "public"', () => {
  it.each([[''], [null], [undefined], ['public']])(
    '%j over gRPC is the one of HTTP without a namespace',
    async (namespace) => {
      const serviceName = `BR-063-${namespace}`;
      const own = await client();
      await own.register({ ip: '10.0.0.1', port: 1 }, { serviceName, namespace });
      await server.text('POST', '/nacos/v1/ns/instance', { serviceName, ip: '10.0.0.2', port: '1' });
      const both = ['10.0.0.1:1', '10.0.0.2:1'];
      expect(await own.hosts({ serviceName, namespace })).toEqual(both);
      expect(await own.hosts({ serviceName })).toEqual(both);
      for (const asked of [{}, { namespaceId: '' }, { namespaceId: 'public' }])
        expect(addresses(await listed(serviceName, asked))).toEqual(both);
    },
  );
});

describe('BR-064 parameters are checked over gRPC, too', () => {
  const refusal = { errorCode: 400, success: false };

  it.each([
    ['an empty ip', { ip: '', port: 1 }],
    ['a blank ip', { ip: '  ', port: 1 }],
    ['a null ip', { ip: null, port: 1 }],
    ['no ip', { port: 1 }],
    ['an ip with a blank inside', { ip: '10.0.0.1 x', port: 1 }],
    ['an ip of 129 characters', { ip: 'a'.repeat(129), port: 1 }],
    ['a port above 65535', { ip: '10.0.0.1', port: 65536 }],
    ['a negative port', { ip: '10.0.0.1', port: -1 }],
    ['a cluster name with a comma', { ip: '10.0.0.1', port: 1, clusterName: 'a,b' }],
    ['a cluster name of 65 characters', { ip: '10.0.0.1', port: 1, clusterName: 'c'.repeat(65) }],
    ['a weight that is no number', { ip: '10.0.0.1', port: 1, weight: 'NaN' }],
  ])('%s is refused, alone and in a batch, and nothing is stored', async (_, bad) => {
    const serviceName = 'BR-064';
    const own = await client();
    expect(await own.register(bad, { serviceName })).toMatchObject(refusal);
    const good = (port: number) => ({ ip: '10.0.0.1', port });
    expect(await own.batch([good(1), bad, good(3)], { serviceName })).toMatchObject(refusal);
    const lasting = { type: 'registerInstance', instance: { ...bad, ephemeral: false }, serviceName };
    expect(await own.ask('PersistentInstanceRequest', lasting)).toMatchObject(refusal);
    expect(await listed(serviceName)).toEqual([]);
    expect((await own.ask('ServiceListRequest', { pageNo: 1, pageSize: 100 })).serviceNames).not.toContain(serviceName);
  });
});

it('BR-065 the service list counts the group, not the page, and names are plain', async () => {
  const own = await client();
  for (let i = 0; i < 25; i++)
    await own.register({ ip: '10.0.0.1', port: 1 }, { serviceName: `s${i}`, groupName: 'g' });
  for (let i = 0; i < 3; i++) await own.register({ ip: '10.0.0.1', port: 1 }, { serviceName: `other${i}` });
  const { count, serviceNames } = await own.ask('ServiceListRequest', { groupName: 'g', pageNo: 3, pageSize: 10 });
  expect([count, serviceNames.length]).toEqual([25, 5]);
  for (const name of serviceNames) expect(name).toMatch(/^s\d+$/);
});

it('BR-066 of one connection and service the last word counts, each change is pushed, and others are left alone', async () => {
  const [own, other, watcher] = [await client(), await client(), await client()];
  const at = (port: number) => ({ ip: '10.0.0.1', port });
  await other.register(at(9));
  await watcher.ask('SubscribeServiceRequest', { subscribe: true, clusters: '' });
  const pushed = (...ports: number[]) =>
    expect.poll(() => watcher.pushed).toEqual([...ports, 9].map((port) => `10.0.0.1:${port}`));
  await own.register(at(1));
  await pushed(1);
  await own.register(at(2));
  await pushed(2);
  await own.batch([at(3), at(4), at(5)]);
  await pushed(3, 4, 5);
  await own.register(at(6));
  await pushed(6);
  expect(await own.hosts()).toEqual(['10.0.0.1:6', '10.0.0.1:9']);
});

it('BR-067 a batch without one of its members takes out that one only', async () => {
  const own = await client();
  const members = { serviceName: 'BR-067' };
  const at = (port: number) => ({ ip: '10.0.0.1', port });
  await own.batch([at(1), at(2), at(3)], members);
  await own.batch([at(1), at(3)], members);
  expect(await own.hosts(members)).toEqual(['10.0.0.1:1', '10.0.0.1:3']);
  await own.batch([], members);
  expect(await own.hosts(members)).toEqual([]);
});

describe('BR-072 metadata at its limit, here 1024 bytes', () => {
  it.each([
    ['1023 bytes', 'x'.repeat(1022), 200],
    ['1024 bytes', 'x'.repeat(1023), 200],
    ['1025 bytes', 'x'.repeat(1024), 500],
    ['1024 bytes that end in an emoji', `${'x'.repeat(1019)}😀`, 200],
    ['1025 bytes in fewer characters', `${'x'.repeat(1020)}😀`, 500],
  ])('%s', async (_, value, resultCode) => {
    const own = await client();
    const answer = await own.register({ ip: '10.0.0.1', port: 1, metadata: { k: value } }, { serviceName: 'BR-072' });
    expect(answer.resultCode).toBe(resultCode);
    if (resultCode === 500) expect(answer).toMatchObject({ errorCode: 400, message: expect.stringContaining('1024') });
    expect(await own.hosts({ serviceName: 'BR-072' })).toHaveLength(resultCode === 200 ? 1 : 0);
  });

  it('100 KB pass where they are allowed', async () => {
    const roomy = new ServerFixture();
    try {
      const { server: started } = await roomy.start({ limitMetadataBytes: '200000' });
      const own = await GrpcClient.open(started.address.port);
      opened.push(own);
      const metadata = { k: 'x'.repeat(100_000) };
      expect(await own.register({ ip: '10.0.0.1', port: 1, metadata })).toMatchObject({ resultCode: 200 });
    } finally {
      await roomy.remove();
    }
  });
});

it('BR-076 the server filters by clusters: queries, answers to subscriptions, and pushes', async () => {
  const serviceName = 'BR-076';
  const [own, other] = [await client(), await client()];
  await own.batch(
    [1, 2, 3].map((n) => ({ ip: `10.0.0.${n}`, port: 1, clusterName: `c${n}` })),
    { serviceName },
  );
  const asked = (cluster: string) => own.hosts({ serviceName, cluster });
  expect(await asked('c1')).toEqual(['10.0.0.1:1']);
  expect(await asked('c1,c2')).toEqual(['10.0.0.1:1', '10.0.0.2:1']);
  expect(await asked('')).toHaveLength(3);
  expect(await asked('nope')).toEqual([]);
  const { serviceInfo } = await own.ask('SubscribeServiceRequest', { serviceName, subscribe: true, clusters: 'c2' });
  expect(serviceInfo.hosts.map(({ ip }: Host) => ip)).toEqual(['10.0.0.2']);
  await other.batch(
    [1, 2].map((n) => ({ ip: `10.9.9.${n}`, port: 1, clusterName: `c${n}` })),
    { serviceName },
  );
  await expect.poll(() => own.pushed).toEqual(['10.0.0.2:1', '10.9.9.2:1']);
});

it('BR-079 every view shows an id, whichever protocol registered', async () => {
  const serviceName = 'BR-079';
  const [own, watcher] = [await client(), await client()];
  await watcher.ask('SubscribeServiceRequest', { serviceName, subscribe: true, clusters: '' });
  await own.register({ ip: '10.0.0.1', port: 1 }, { serviceName });
  await server.text('POST', '/nacos/v1/ns/instance', { serviceName, ip: '10.0.0.2', port: '1' });
  const ids = ['10.0.0.1#1#DEFAULT#DEFAULT_GROUP@@BR-079', '10.0.0.2#1#DEFAULT#DEFAULT_GROUP@@BR-079'];
  const idsIn = (hosts: readonly Host[]) => hosts.map(({ instanceId }) => instanceId).sort();
  expect(idsIn(await listed(serviceName))).toEqual(ids);
  expect(idsIn((await own.ask('ServiceQueryRequest', { serviceName })).serviceInfo.hosts)).toEqual(ids);
  await expect.poll(() => watcher.pushed).toHaveLength(2);
  expect(idsIn(watcher.messages.at(-1)?.body.serviceInfo.hosts)).toEqual(ids);
});
