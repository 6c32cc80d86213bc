// Three whole servers on loopback as one registry: what is registered at one is listed by all, a node that stops takes
// nothing along, and one that starts answers no reads before it knows what the others know.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingLogger } from '@rollcall/runtime/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MembersAnswer } from '../../src/adapters/http-own/member-answers.js';
import { UdpSubscriber } from '../../src/adapters/udp/udp-subscriber.test-support.js';
import { loadConfig } from '../../src/app/config.js';
import type { OptionKey } from '../../src/app/config-schema.js';
import { startRegistryServer } from '../../src/app/registry-server.js';
import { StartedServer } from './started-server.test-support.js';

const SECRET = 'a secret that all three know';
const READY_MS = 12_000;

/** Ports that were free a moment ago, far enough apart for the companions of each. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count * 2 }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
        ),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports.sort((a, b) => a - b).slice(0, count);
}

class Cluster {
  readonly directory = mkdtempSync(join(tmpdir(), 'rollcall-cluster-'));
  readonly logger = new RecordingLogger();
  readonly ports: readonly number[];
  readonly nodes = new Map<number, StartedServer>();

  constructor(ports: readonly number[]) {
    this.ports = ports;
  }

  get members(): string {
    return this.ports.map((port) => `127.0.0.1:${port}`).join();
  }

  async start(index: number, flags: { readonly [K in OptionKey]?: string } = {}): Promise<StartedServer> {
    const port = String(this.ports[index]);
    const { config } = loadConfig({
      flags: {
        port,
        grpcPortOffset: '0',
        dataDir: join(this.directory, port),
        members: this.members,
        clusterSecret: SECRET,
        ...flags,
      },
      environment: {},
      readFile: () => '{}',
    });
    const node = new StartedServer(await startRegistryServer({ config, logger: this.logger }));
    this.nodes.set(index, node);
    return node;
  }

  async stop(index: number): Promise<void> {
    await this.nodes.get(index)?.server.close();
    this.nodes.delete(index);
  }
}

/** Asks again until the answer is as wanted. @returns the last answer */
async function eventually<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const endsAt = performance.now() + READY_MS;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer) || performance.now() > endsAt) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const hostsOf = async (node: StartedServer, serviceName: string): Promise<string> => {
  const response = await node.fetch('GET', '/nacos/v1/ns/instance/list', { serviceName });
  if (response.status !== 200) return `status ${response.status}`;
  const { hosts } = (await response.json()) as { hosts: { ip: string; healthy: boolean }[] };
  return hosts.map(({ ip, healthy }) => `${ip} ${healthy}`).join();
};
interface SubscribersOfV1 {
  readonly count: number;
  readonly subscribers: readonly { readonly port: number }[];
}
const membersOf = (node: StartedServer) => node.json<MembersAnswer>('GET', '/rollcall/v1/members');
const register = (node: StartedServer, ip: string, serviceName = 'orders') =>
  node.text('POST', '/nacos/v1/ns/instance', { serviceName, ip, port: '80' });

let cluster: Cluster;
beforeAll(async () => {
  cluster = new Cluster(await freePorts(3));
  for (const index of [0, 1, 2]) await cluster.start(index);
  for (const node of cluster.nodes.values()) {
    await eventually(
      () => membersOf(node),
      ({ state, members }) => state === 'UP' && members.every((member) => member.state === 'UP'),
    );
  }
});
afterAll(async () => {
  for (const index of [...cluster.nodes.keys()]) await cluster.stop(index);
  rmSync(cluster.directory, { recursive: true, force: true });
});
const node = (index: number) => cluster.nodes.get(index) as StartedServer;

describe('three nodes', () => {
  it('list what is registered at any of them', async () => {
    for (const index of [0, 1, 2]) expect(await register(node(index), `10.0.0.${index + 1}`)).toBe('ok');
    const all = '10.0.0.1 true,10.0.0.2 true,10.0.0.3 true';
    for (const index of [0, 1, 2]) {
      expect(
        await eventually(
          () => hostsOf(node(index), 'orders'),
          (hosts) => hosts === all,
        ),
      ).toBe(all);
    }
  });

  it('say who they are, on every version', async () => {
    const addresses = cluster.members.split(',').sort();
    expect(await node(0).json('GET', '/nacos/v1/core/cluster/simple/nodes')).toMatchObject({ data: addresses });
    const v1 = await node(1).json<{ data: object[] }>('GET', '/nacos/v1/core/cluster/nodes');
    expect(v1.data).toMatchObject(addresses.map((address) => ({ address, state: 'UP', failAccessCnt: 0 })));
    const v2 = await node(2).json<{ data: object[] }>('GET', '/nacos/v2/core/cluster/node/list', { state: 'up' });
    expect(v2.data).toMatchObject(addresses.map((address) => ({ address, state: 'UP', abilities: {} })));
    const v3 = await node(2).json<{ data: { address: string } }>('GET', '/nacos/v3/admin/core/cluster/node/self');
    expect(v3.data.address).toBe(`127.0.0.1:${cluster.ports[2]}`);
    const asked = await node(1).text('GET', '/nacos/v1/ns/operator/distro/client', { ip: '10.0.0.1', port: '80' });
    expect(asked).toBe(`{"responsibleServer":"127.0.0.1:${cluster.ports[1]}"}`);
    expect(await node(0).json('GET', '/nacos/v1/console/server/state')).toMatchObject({ standalone_mode: 'cluster' });
    const one = await node(0).json('GET', '/nacos/v1/core/cluster/nodes', { keyword: addresses[1] as string });
    expect(one).toMatchObject({ data: [{ address: addresses[1] }] });
  });

  it('agree on who is responsible as soon as all are up, also those that were dialled before they listened', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `service-${n}`);
    for (const serviceName of names) await register(node(0), '10.0.2.1', serviceName);
    const ownersAt = (index: number) =>
      Promise.all(
        names.map((serviceName) => node(index).text('GET', '/nacos/v1/ns/operator/distro/server', { serviceName })),
      );
    const first = await ownersAt(0);
    for (const index of [1, 2]) {
      const isKnown = (texts: readonly string[]) => !texts.includes('service not found');
      expect(await eventually(() => ownersAt(index), isKnown)).toEqual(first);
    }
    const owners = new Set(first.map((text) => JSON.parse(text).responsibleServer));
    expect([...owners].sort()).toEqual(cluster.members.split(',').sort());
  });

  it('BR-099: list the subscribers of all nodes, or their own', async () => {
    const service = { serviceName: 'followed' };
    const subscribers: UdpSubscriber[] = [];
    for (const index of [0, 1, 2]) {
      const subscriber = await UdpSubscriber.open();
      subscribers.push(subscriber);
      const query = new URLSearchParams({ ...service, udpPort: String(subscriber.port), clientIP: '127.0.0.1' });
      const headers = { 'User-Agent': 'Nacos-Java-Client:v1.4.8' };
      await fetch(`${node(index).url}/nacos/v1/ns/instance/list?${query}`, { headers });
    }
    const own = { ...service, aggregation: 'false' };
    const wanted = subscribers.map(({ port }) => port).sort();
    for (const index of [0, 1, 2]) {
      const v1 = await node(index).json<SubscribersOfV1>('GET', '/nacos/v1/ns/service/subscribers', service);
      expect([v1.count, v1.subscribers.map(({ port }) => port).sort()]).toEqual([3, wanted]);
      const v3 = await node(index).json('GET', '/nacos/v3/admin/ns/service/subscribers', service);
      expect(v3).toMatchObject({ data: { totalCount: 3 } });
      expect(await node(index).json('GET', '/nacos/v1/ns/service/subscribers', own)).toMatchObject({
        count: 1,
        subscribers: [{ port: subscribers[index]?.port }],
      });
      const v3Own = await node(index).json('GET', '/nacos/v3/admin/ns/service/subscribers', own);
      expect(v3Own).toMatchObject({ data: { totalCount: 1 } });
    }
    for (const subscriber of subscribers) await subscriber.close();
  });

  it('show the loads of all, and even them out', async () => {
    const loads = await node(1).json('GET', '/nacos/v2/core/loader/cluster');
    const detail = cluster.members.split(',').map((address) => ({ address, sdkConCount: 0 }));
    expect(loads).toMatchObject({ memberCount: 3, metricsCount: 3, completed: true, total: 0, detail });
    const v3 = await node(2).json('GET', '/nacos/v3/admin/core/loader/cluster', { aggregation: 'false' });
    expect(v3).toMatchObject({ data: { memberCount: 1, detail: [{ address: `127.0.0.1:${cluster.ports[2]}` }] } });
    expect(await node(0).text('GET', '/nacos/v2/core/loader/smartReloadCluster')).toBe('Ok');
  });

  it('count what goes on between them', async () => {
    const page = await node(0).text('GET', '/metrics');
    expect(page).toContain('rollcall_cluster_members{state="UP"} 3');
    expect(page).toContain('rollcall_cluster_ready 1');
    expect(page).toMatch(/rollcall_peer_connected\{member="127\.0\.0\.1:\d+"\} 1/);
    expect(page).toContain('rollcall_peer_faults_total{reason="wrong-secret"} 0');
    expect(page).toContain('rollcall_cluster_alarms_total{kind="digest-mismatch"} 0');
  });

  it('hold the same records when nothing changes', async () => {
    const isSame = ({ members }: MembersAnswer) =>
      members.every(({ records, lag }) => records === 'equal' && lag === 0);
    for (const index of [0, 1, 2]) {
      expect(isSame(await eventually(() => membersOf(node(index)), isSame))).toBe(true);
    }
  });

  it('refuse persistent data when there is no store for it', async () => {
    const parameters = { serviceName: 'durable', ip: '10.0.0.9', port: '80', ephemeral: 'false' };
    const response = await node(0).fetch('POST', '/nacos/v1/ns/instance', parameters);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('--store');
  });
});

describe('a node that cannot start', () => {
  it('says why and leaves nothing open', async () => {
    const [port] = await freePorts(1);
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen((port as number) + 2000, '127.0.0.1', resolve));
    const own = { port: String(port), dataDir: join(cluster.directory, 'other') };
    const start = () => cluster.start(3, { ...own, members: `127.0.0.1:${port}` });
    await expect(start()).rejects.toMatchObject({ exit: 'address-in-use' });
    await new Promise((resolve) => taken.close(resolve));
    await start();
    await cluster.stop(3);
  });
});

describe('a second process with the address of a node', () => {
  it('is told to stop, and the first goes on', async () => {
    const [port] = await freePorts(1);
    const taken = `127.0.0.1:${cluster.ports[1]}`;
    const own = { port: String(port), node: taken, dataDir: join(cluster.directory, 'second') };
    const second = await cluster.start(6, own);
    expect(await second.server.failure).toMatchObject({ exit: 'node-address-taken' });
    await cluster.stop(6);
    const isThere = ({ members }: MembersAnswer) => members.find(({ address }) => address === taken)?.state === 'UP';
    expect(isThere(await eventually(() => membersOf(node(0)), isThere))).toBe(true);
    expect(await register(node(1), '10.0.0.3')).toBe('ok');
  });
});

describe('nodes with a list in a file', () => {
  it('take one in and let one go while they run', async () => {
    const ports = await freePorts(2);
    const file = join(cluster.directory, 'cluster.conf');
    const listed = (count: number) =>
      writeFileSync(
        file,
        ports
          .slice(0, count)
          .map((port) => `127.0.0.1:${port}\n`)
          .join(''),
      );
    listed(1);
    const flagsOf = (index: number) => {
      const port = String(ports[index]);
      return { port, dataDir: join(cluster.directory, port), members: '', membersFile: file, clusterName: 'other' };
    };
    const first = await cluster.start(4, flagsOf(0));
    const count = ({ members }: MembersAnswer) => members.filter(({ state }) => state === 'UP').length;
    expect(
      count(
        await eventually(
          () => membersOf(first),
          (answer) => count(answer) === 1,
        ),
      ),
    ).toBe(1);
    expect(await register(first, '10.0.1.1')).toBe('ok');
    listed(2);
    const second = await cluster.start(5, flagsOf(1));
    expect(
      count(
        await eventually(
          () => membersOf(first),
          (answer) => count(answer) === 2,
        ),
      ),
    ).toBe(2);
    const isCopied = (hosts: string) => hosts === '10.0.1.1 true';
    expect(await eventually(() => hostsOf(second, 'orders'), isCopied)).toBe('10.0.1.1 true');
    listed(1);
    const unlisted = () => cluster.logger.lines.filter(({ event }) => event === 'node-not-in-members');
    await eventually(
      async () => unlisted().length,
      (count) => count > 0,
    );
    expect(unlisted()).toMatchObject([{ level: 'warn', fields: { node: `127.0.0.1:${ports[1]}` } }]);
    await cluster.stop(5);
    const size = ({ members }: MembersAnswer) => members.length;
    expect(
      size(
        await eventually(
          () => membersOf(first),
          (answer) => size(answer) === 1,
        ),
      ),
    ).toBe(1);
    expect(await hostsOf(first, 'orders')).toBe('10.0.1.1 true');
    await cluster.stop(4);
  });
});

describe('a node that stops and comes back', () => {
  // What went before may have taken longer than a lease.
  beforeAll(async () => {
    for (const index of [0, 1, 2]) await register(node(index), `10.0.0.${index + 1}`);
  });

  it('is DOWN at once for the others, which lose nothing', async () => {
    await cluster.stop(2);
    const stopped = `127.0.0.1:${cluster.ports[2]}`;
    const stateOf = ({ members }: MembersAnswer) => members.find(({ address }) => address === stopped)?.state;
    expect(
      stateOf(
        await eventually(
          () => membersOf(node(0)),
          (answer) => stateOf(answer) === 'DOWN',
        ),
      ),
    ).toBe('DOWN');
    for (const index of [0, 1]) {
      expect(await hostsOf(node(index), 'orders')).toBe('10.0.0.1 true,10.0.0.2 true,10.0.0.3 true');
    }
  });

  it('BR-099: costs lists of subscribers its own part and a warning, no more', async () => {
    const subscriber = await UdpSubscriber.open();
    const query = { serviceName: 'left', udpPort: String(subscriber.port), clientIP: '127.0.0.1' };
    const headers = { 'User-Agent': 'Nacos-Java-Client:v1.4.8' };
    await fetch(`${node(1).url}/nacos/v1/ns/instance/list?${new URLSearchParams(query)}`, { headers });
    const left = await node(0).json('GET', '/nacos/v1/ns/service/subscribers', { serviceName: 'left' });
    expect(left).toMatchObject({ count: 1, subscribers: [{ port: subscriber.port }] });
    await subscriber.close();
    const told = cluster.logger.lines.filter(({ event }) => event === 'subscribers-incomplete');
    expect(told).toMatchObject([{ level: 'warn', fields: { peer: `127.0.0.1:${cluster.ports[2]}` } }]);
  });

  it('answers reads with 503 until it knows what the others know, and takes writes', async () => {
    const back = await cluster.start(2);
    const seen = new Set<string>();
    await eventually(
      async () => {
        const hosts = await hostsOf(back, 'orders');
        seen.add(hosts);
        return hosts;
      },
      (hosts) => hosts.startsWith('10.'),
    );
    expect([...seen].filter((hosts) => hosts !== 'status 503')).toEqual(['10.0.0.1 true,10.0.0.2 true,10.0.0.3 true']);
    expect((await membersOf(back)).members.find(({ self }) => self)?.epoch).toBe(2);
  });

  it('is refused with another secret, answers no reads, and the others go on', async () => {
    await cluster.stop(2);
    const refusedNode = await cluster.start(2, { clusterSecret: 'another secret than theirs' });
    const refused = () => cluster.logger.lines.filter(({ fields }) => fields.reason === 'wrong-secret').length;
    await eventually(
      async () => refused(),
      (count) => count > 0,
    );
    expect(refused()).toBeGreaterThan(0);
    expect(await register(node(0), '10.0.0.4')).toBe('ok');
    const isThere = (hosts: string) => hosts.includes('10.0.0.4 true');
    expect(isThere(await eventually(() => hostsOf(node(1), 'orders'), isThere))).toBe(true);
    const isShown = ({ members }: MembersAnswer) =>
      members.filter(({ rejection }) => rejection === 'wrong-secret').length === 2;
    expect(isShown(await eventually(() => membersOf(refusedNode), isShown))).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    expect(await hostsOf(refusedNode, 'orders')).toBe('status 503');
    expect(await register(refusedNode, '10.0.0.5')).toBe('ok');
    const alarms = cluster.logger.lines.filter(({ fields }) => String(fields.message).includes('(wrong-secret)'));
    expect(alarms).toMatchObject([{ level: 'error', event: 'cluster-alarm', fields: { kind: 'not-admitted' } }]);
    await cluster.stop(2);
  });
});
