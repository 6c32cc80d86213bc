// A Nacos-compatible server to compare with: one that already runs, given by its URL, or one that this run starts from
// a command line, pinned like ours. In the command `{port}` and `{dir}` stand for a free port and a fresh directory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort, startChildServer, stopChildServer } from './child-server.js';
import type { Contender } from './contender.js';
import { parseEndpoint } from './endpoint.js';
import { findListenerPid } from './process-figures.js';

/** Where the peer comes from. */
export type PeerSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'command'; readonly commandLine: string };

/** A peer, with the time that its start took when this run started it. */
export interface PeerContender extends Contender {
  /** From the spawn call to the first answer, in milliseconds; undefined for a server that already ran. */
  readonly firstAnswerMs: number | undefined;
}

/** A JVM server takes up to half a minute on this kind of machine. */
const START_TIMEOUT_MS = 120_000;

/** Reaches or starts the peer. */
export async function openPeer(source: PeerSource): Promise<PeerContender> {
  return source.kind === 'url' ? reachPeer(source.url) : startPeer(source.commandLine);
}

function reachPeer(url: string): PeerContender {
  const endpoint = parseEndpoint(url);
  const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(endpoint.host);
  const pid = isLocal ? findListenerPid(endpoint.port) : undefined;
  return { name: 'peer', endpoint, pid, firstAnswerMs: undefined, stop: async () => undefined };
}

async function startPeer(commandLine: string): Promise<PeerContender> {
  const directory = await mkdtemp(path.join(tmpdir(), 'rollcall-bench-peer-'));
  const port = await findFreePort();
  const endpoint = { host: '127.0.0.1', port, contextPath: '/nacos' };
  const text = commandLine.replaceAll('{port}', String(port)).replaceAll('{dir}', directory);
  // The shell replaces itself by the server (exec), so that the process measured and ended is the server.
  const command = ['sh', '-c', `cd ${directory} && exec env ${text}`];
  const server = await startChildServer({ command, endpoint, startTimeoutMs: START_TIMEOUT_MS });
  return {
    name: 'peer',
    endpoint,
    pid: server.pid,
    firstAnswerMs: server.firstAnswerMs,
    stop: async () => {
      await stopChildServer(server.process);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
