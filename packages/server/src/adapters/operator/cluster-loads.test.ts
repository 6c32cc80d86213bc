import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ClusterLoads } from './cluster-loads.js';
import type { ClusterMember } from './cluster-view.js';
import { loadsJson } from './server-load.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A node that answers every question with one text. */
async function node(text: string, asked: string[] = []): Promise<string> {
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(text);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function loadsOf(addresses: readonly string[]) {
  const warned: string[] = [];
  const member = { state: 'UP', version: '1', silentMs: 0, epoch: 1, lag: 0, records: 'equal' } as const;
  const members = addresses.map((address, n): ClusterMember => {
    return {
      ...member,
      ip: '',
      port: 1,
      address,
      isSelf: n === 0,
      isConnected: true,
      queuedBytes: 0,
      rejection: undefined,
    };
  });
  const notices = { warn: (event: string, peer: string) => void warned.push(`${event} ${peer}`) };
  return {
    warned,
    loads: new ClusterLoads({ cluster: { members: () => members }, contextPath: () => '/nacos', notices }),
  };
}

it('reads those of all others that answer', async () => {
  const asked: string[] = [];
  const load = { address: 'somewhere', connections: 7, load: 0.5, cpu: 0.25 };
  const good = await node(loadsJson([load], 1), asked);
  const others = [await node('no JSON'), await node('{"detail":[{"sdkConCount":"7"}]}'), '127.0.0.1:1'];
  const { loads, warned } = loadsOf(['self', good, ...others]);
  expect(await loads.read()).toEqual([{ ...load, address: good }]);
  expect(asked).toEqual(['/nacos/v2/core/loader/cluster?aggregation=false']);
  expect(warned).toEqual(['loads-incomplete 127.0.0.1:1']);
});

it('asks a node to send clients away', async () => {
  const asked: string[] = [];
  const from = await node('success', asked);
  const { loads, warned } = loadsOf(['self', from]);
  expect(await loads.shift({ from, to: '[::1]:8848', left: 12 })).toBe(true);
  expect(asked).toEqual(['/nacos/v2/core/loader/reloadCurrent?count=12&redirectAddress=%5B%3A%3A1%5D%3A8848']);
  expect(await loads.shift({ from: '127.0.0.1:1', to: from, left: 1 })).toBe(false);
  expect(warned).toHaveLength(1);
});
