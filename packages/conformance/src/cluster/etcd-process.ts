// One etcd as a process, for flows that need a store which outlives every node. Its own resilience is not what they look at.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endsWithThisProcess, temporaryFolder } from './exit-cleanup.js';
import { runTool } from './network/run-tool.js';

const START_TIMEOUT_MS = 15_000;
const POLL_PAUSE_MS = 50;
const PROGRAM = 'etcd';

/** A running etcd. */
export class EtcdProcess {
  /** As the option `--store` takes it. */
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #directory: string;

  private constructor(url: string, child: ChildProcess, directory: string) {
    this.url = url;
    this.#child = child;
    this.#directory = directory;
  }

  /** Whether it can be started here. */
  static async isInstalled(): Promise<boolean> {
    return runTool(PROGRAM, '--version').then(
      () => true,
      () => false,
    );
  }

  /** Starts one on free ports. @param host - address to listen on @throws Error when it is not healthy in 15 s */
  static async start(host: string): Promise<EtcdProcess> {
    const directory = await temporaryFolder('rollcall-cluster-etcd-');
    const client = `${host}:${await freePort(host)}`;
    const peer = `http://${host}:${await freePort(host)}`;
    const child = spawn(PROGRAM, [...argumentsFor(`http://${client}`, peer), '--data-dir', directory], {
      stdio: 'ignore',
    });
    endsWithThisProcess(child);
    const etcd = new EtcdProcess(`etcd://${client}`, child, directory);
    if (await isHealthyInTime(`http://${client}/health`)) return etcd;
    await etcd.stop();
    throw new Error(`etcd on ${client} was not healthy within ${START_TIMEOUT_MS} ms`);
  }

  /** Kills it and removes its data. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await exited;
    }
    await rm(this.#directory, { recursive: true, force: true });
  }
}

function argumentsFor(client: string, peer: string): readonly string[] {
  const clients = ['--listen-client-urls', client, '--advertise-client-urls', client];
  const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
  return ['--name', 'store', ...clients, ...peers, '--initial-cluster', `store=${peer}`];
}

async function isHealthyInTime(url: string): Promise<boolean> {
  const endsAtMs = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < endsAtMs) {
    const isHealthy = await fetch(url).then(
      async (answer) => (await answer.text()).includes('"true"'),
      () => false,
    );
    if (isHealthy) return true;
    await sleep(POLL_PAUSE_MS);
  }
  return false;
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error(`Cannot find a free port on ${host}`);
  return address.port;
}
