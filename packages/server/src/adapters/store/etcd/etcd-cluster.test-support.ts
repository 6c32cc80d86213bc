// An etcd of one's own: one or more members as processes on loopback with data in a temporary folder, ended by the test.

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where Debian's package `etcd-server` puts the server. */
const SERVER = '/usr/bin/etcd';
const START_TIMEOUT_MS = 60_000;

/** Whether the server is installed on this machine. */
export function hasEtcd(): boolean {
  try {
    accessSync(SERVER, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Paths of PEM files with which an etcd serves its clients, and which it asks of them. */
export interface EtcdCertificateFiles {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

interface Member {
  readonly name: string;
  readonly clientPort: number;
  readonly peerPort: number;
  readonly healthPort: number;
  process: ChildProcess | undefined;
}

/** A running etcd. */
export class EtcdCluster {
  readonly #directory: string;
  readonly #members: readonly Member[];
  readonly #tls: EtcdCertificateFiles | undefined;

  private constructor(directory: string, members: readonly Member[], tls: EtcdCertificateFiles | undefined) {
    this.#directory = directory;
    this.#members = members;
    this.#tls = tls;
  }

  /** Starts an etcd and waits until all members answer. @param count - of members */
  static async start(count: number, tls?: EtcdCertificateFiles): Promise<EtcdCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'rollcall-etcd-'));
    const ports = await freePorts(3 * count);
    const members = Array.from({ length: count }, (_, index) => ({
      name: `m${index}`,
      clientPort: ports[3 * index] as number,
      peerPort: ports[3 * index + 1] as number,
      healthPort: ports[3 * index + 2] as number,
      process: undefined,
    }));
    const cluster = new EtcdCluster(directory, members, tls);
    try {
      await cluster.startAll();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** `host:port` of all members. */
  get endpoints(): readonly string[] {
    return this.#members.map(({ clientPort }) => `127.0.0.1:${clientPort}`);
  }

  /** Starts those that do not run, and waits until all answer. */
  async startAll(): Promise<void> {
    for (const member of this.#members) member.process ??= this.#spawn(member);
    await Promise.all(this.#members.map((member) => healthy(member)));
  }

  /** Ends members at once, as by a lost machine. */
  async kill(...indexes: readonly number[]): Promise<void> {
    for (const index of indexes) await this.#signal(index, 'SIGKILL');
  }

  /** Suspends a member, or lets it go on. */
  signal(index: number, name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#members[index]?.process?.kill(name);
  }

  /** Ends everything and deletes the data. */
  async stop(): Promise<void> {
    for (const index of this.#members.keys()) await this.#signal(index, 'SIGKILL');
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #signal(index: number, name: 'SIGKILL'): Promise<void> {
    const member = this.#members[index];
    const { process } = member ?? {};
    if (member === undefined || process === undefined) return;
    member.process = undefined;
    if (process.exitCode !== null || process.signalCode !== null) return;
    const exit = new Promise((resolve) => process.once('exit', resolve));
    process.kill(name);
    await exit;
  }

  #spawn({ name, clientPort, peerPort, healthPort }: Member): ChildProcess {
    const clientUrl = `${this.#tls === undefined ? 'http' : 'https'}://127.0.0.1:${clientPort}`;
    const options = {
      name,
      'data-dir': join(this.#directory, name),
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'listen-metrics-urls': `http://127.0.0.1:${healthPort}`,
      'listen-peer-urls': `http://127.0.0.1:${peerPort}`,
      'initial-advertise-peer-urls': `http://127.0.0.1:${peerPort}`,
      'initial-cluster': this.#members.map((each) => `${each.name}=http://127.0.0.1:${each.peerPort}`).join(','),
      'initial-cluster-state': 'new',
      'log-level': 'error',
      ...(this.#tls && {
        'trusted-ca-file': this.#tls.authority,
        'cert-file': this.#tls.certificate,
        'key-file': this.#tls.key,
        'client-cert-auth': 'true',
      }),
    };
    return spawn(
      SERVER,
      Object.entries(options).map(([key, value]) => `--${key}=${value}`),
      { stdio: 'ignore' },
    );
  }
}

async function healthy({ healthPort, process }: Member): Promise<void> {
  for (const endsAt = Date.now() + START_TIMEOUT_MS; Date.now() < endsAt; await sleep(50)) {
    if (process !== undefined && process.exitCode !== null) throw new Error(`${SERVER} ended with ${process.exitCode}`);
    try {
      const answer = await fetch(`http://127.0.0.1:${healthPort}/health`, { signal: AbortSignal.timeout(2000) });
      if (((await answer.json()) as { health?: string }).health === 'true') return;
    } catch {
      // Not there yet.
    }
  }
  throw new Error(`${SERVER} is not healthy after ${START_TIMEOUT_MS} ms`);
}

/** Ports that were free a moment ago, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
