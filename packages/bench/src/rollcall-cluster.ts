// Three servers of ours as one cluster: processes on loopback, each with a data directory of its own, all on the servers' core.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ChildServer, findFreePort, startChildServer, stopChildServer } from './child-server.js';
import type { Contender } from './contender.js';

const PROGRAM = fileURLToPath(new URL('../../cli/bin/rollcall.js', import.meta.url));
const NODES = 3;
const HOST = '127.0.0.1';
/** Distance from the main port to the one for other nodes. */
const PEER_OFFSET = 2000;
const START_TIMEOUT_MS = 60_000;
const TOGETHER_TIMEOUT_MS = 30_000;
const POLL_PAUSE_MS = 50;

/** The nodes, all of them up and with the same records. */
export interface RollcallCluster {
  readonly nodes: readonly (Contender & { readonly pid: number })[];
  /** Whether every node says that all are up and hold the same records. */
  areEqual(): Promise<boolean>;
  /** Ends all of them and removes their data. */
  stop(): Promise<void>;
}

/** Starts the nodes at once and waits until they are together. @throws Error when one does not start, or they do not meet */
export async function startRollcallCluster(): Promise<RollcallCluster> {
  const directory = await mkdtemp(path.join(tmpdir(), 'rollcall-bench-cluster-'));
  const ports: number[] = [];
  while (ports.length < NODES) ports.push(await portWithCompanion(ports));
  const members = ports.map((port) => `${HOST}:${port}`).join();
  const started = await Promise.allSettled(ports.map((port) => startNode(port, members, directory)));
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map(({ process }) => stopChildServer(process)));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason;
    await untilEqual(ports);
  } catch (error) {
    await stop();
    throw error;
  }
  const nodes = servers.map(({ pid }, index) => ({
    name: 'rollcall' as const,
    endpoint: endpointOf(ports[index] as number),
    pid,
    stop,
  }));
  return { nodes, areEqual: () => areEqual(ports), stop };
}

function startNode(port: number, members: string, directory: string): Promise<ChildServer> {
  const own = ['--port', String(port), '--grpc-port-offset', '0', '--data-dir', path.join(directory, String(port))];
  const cluster = ['--members', members, '--cluster-port-offset', String(PEER_OFFSET)];
  return startChildServer({
    command: [process.execPath, PROGRAM, 'start', ...own, ...cluster],
    environment: { ROLLCALL_CLUSTER_SECRET: 'a secret for the bench alone' },
    endpoint: endpointOf(port),
    startTimeoutMs: START_TIMEOUT_MS,
  });
}

const endpointOf = (port: number) => ({ host: HOST, port, contextPath: '/nacos' });

async function untilEqual(ports: readonly number[]): Promise<void> {
  const endsAtMs = performance.now() + TOGETHER_TIMEOUT_MS;
  while (!(await areEqual(ports))) {
    if (performance.now() > endsAtMs) throw new Error('The three nodes are not together after 30 s');
    await sleep(POLL_PAUSE_MS);
  }
}

async function areEqual(ports: readonly number[]): Promise<boolean> {
  const seen = await Promise.all(ports.map(seesAllEqual));
  return seen.every(Boolean);
}

async function seesAllEqual(port: number): Promise<boolean> {
  const answer = await fetch(`http://${HOST}:${port}/rollcall/v1/members`);
  const { members } = (await answer.json()) as {
    readonly members: readonly { readonly state: string; readonly records: string }[];
  };
  return members.length === NODES && members.every(({ state, records }) => state === 'UP' && records === 'equal');
}

/** A free port whose companion for other nodes is free, too. @param taken - ports that the others have */
async function portWithCompanion(taken: readonly number[]): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    const isFar = taken.every((other) => Math.abs(other - port) !== PEER_OFFSET && other !== port);
    if (isFar && port + PEER_OFFSET < 65_536 && (await isFree(port + PEER_OFFSET))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
