import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Host, NacosNamingClient } from '../src/nacos.js';
import { RollcallServer, until } from './rollcall-server.test-support.js';

let server: RollcallServer;
let client: NacosNamingClient;

beforeAll(async () => {
  server = await RollcallServer.start();
  client = new NacosNamingClient({ serverList: server.address, namespace: 'public' });
  await client.ready();
}, 30_000);

afterAll(async () => {
  await client.close();
  await server.dispose();
});

const ips = (hosts: readonly Host[]) => hosts.map(({ ip }) => ip).sort();

describe('the interface of npm nacos', () => {
  test('BR-126 group and cluster reach the server; deregistration finds the group again', async () => {
    await client.registerInstance('pay', { ip: '1.1.1.1', port: 80, clusterName: 'c1', metadata: { n: 5 } }, 'blue');
    expect(await server.hosts('blue@@pay')).toMatchObject([{ ip: '1.1.1.1', clusterName: 'c1', metadata: { n: '5' } }]);
    expect(await server.hosts('pay')).toEqual([]);
    expect(await client.getAllInstances('pay', 'blue')).toMatchObject([
      {
        ip: '1.1.1.1',
        clusterName: 'c1',
        serviceName: 'blue@@pay',
        healthy: true,
        weight: 1,
        instanceHeartBeatInterval: 5000,
      },
    ]);
    await client.deregisterInstance('pay', { ip: '1.1.1.1', port: 80, clusterName: 'c1' }, 'blue');
    expect(await server.hosts('blue@@pay')).toEqual([]);
  });

  test('BR-106 no cluster means all of them, and the order of clusters does not matter', async () => {
    await client.registerInstance('where', { ip: '1.1.1.1', port: 80, clusterName: 'A' });
    await client.registerInstance('where', { ip: '2.2.2.2', port: 80 });
    expect(ips(await client.getAllInstances('where', undefined, '', false))).toEqual(['1.1.1.1', '2.2.2.2']);
    const seen: string[][] = [];
    const f = (hosts: readonly Host[]) => void seen.push(ips(hosts));
    client.subscribe({ serviceName: 'where', clusters: 'A,B' }, f);
    client.subscribe({ serviceName: 'where', clusters: ' B , A,,A' }, f);
    await until(() => seen.length > 0);
    expect(seen).toEqual([['1.1.1.1']]);
    client.unSubscribe({ serviceName: 'where', clusters: 'B,A' }, f);
    await client.registerInstance('where', { ip: '3.3.3.3', port: 80, clusterName: 'B' });
    const all: Host[][] = [];
    client.subscribe('where', (hosts) => void all.push([...hosts]));
    await until(() => all.at(-1)?.length === 3);
    expect(seen).toHaveLength(1);
  });

  test('BR-107 a service can become empty again', async () => {
    const seen: number[] = [];
    client.subscribe('last', (hosts) => void seen.push(hosts.length));
    await client.registerInstance('last', { ip: '1.1.1.1', port: 80 });
    await until(() => seen.at(-1) === 1);
    await client.deregisterInstance('last', { ip: '1.1.1.1', port: 80 });
    await until(() => seen.at(-1) === 0);
    expect(await client.selectInstances('last')).toEqual([]);
    expect(await client.selectInstances('last', undefined, '', true, false)).toEqual([]);
  });

  test('BR-129 healthy selects healthy ones, false the unhealthy; disabled and weightless never', async () => {
    const all = [
      { ip: '1.0.0.1', port: 1 },
      { ip: '1.0.0.2', port: 1, healthy: false, ephemeral: false },
      { ip: '1.0.0.3', port: 1, weight: 0 },
      { ip: '1.0.0.4', port: 1, enabled: false },
    ];
    for (const instance of all) await client.registerInstance('mixed', instance);
    for (const subscribe of [true, false]) {
      expect(ips(await client.selectInstances('mixed', undefined, '', true, subscribe))).toEqual(['1.0.0.1']);
      expect(ips(await client.selectInstances('mixed', undefined, '', false, subscribe))).toEqual(['1.0.0.2']);
    }
    expect((await client.selectOneHealthyInstance('mixed'))?.ip).toBe('1.0.0.1');
    expect(await client.selectOneHealthyInstance('nobody')).toBeUndefined();
  });

  test('BR-103 one listener of three ends without the others; without a listener all end', async () => {
    const calls = { f: 0, g: 0, h: 0 };
    const [f, g, h] = [() => void calls.f++, () => void calls.g++, () => void calls.h++];
    for (const listener of [f, f, g, h]) client.subscribe('three', listener);
    client.unSubscribe('three', f);
    await client.registerInstance('three', { ip: '1.1.1.1', port: 80 });
    await until(() => calls.g === 1 && calls.h === 1);
    client.unSubscribe('three');
    expect(calls).toEqual({ f: 0, g: 1, h: 1 });
  });

  test('status and names of services', async () => {
    expect(await client.getServerStatus()).toBe('UP');
    await client.registerInstance('named', { ip: '1.1.1.1', port: 80 }, 'NAMES');
    expect(await client.getServicesOfServer(1, 10, 'NAMES')).toEqual({ count: 1, data: ['named'] });
  });
});
