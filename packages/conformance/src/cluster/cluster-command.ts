// `npm run conformance -- cluster`. Where namespaces can be made, this process makes them and runs itself once more in their
// hub; it stays outside to remove them whatever happens inside.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CLUSTER_HELP, type ClusterRequest, type NetworkChoice, readClusterArguments } from './cluster-arguments.js';
import {
  clusterResultsAsJson,
  formatClusterCounts,
  formatClusterFlow,
  formatClusterResult,
  outcomeOf,
} from './cluster-report.js';
import { runClusterFlows } from './cluster-run.js';
import { CLUSTER_FLOWS } from './flows/cluster-flows.js';
import type { ClusterNetwork } from './network/cluster-network.js';
import { NamespaceNetwork } from './network/namespace-network.js';
import { createNamespaces, type Namespaces, removeNamespaces } from './network/namespaces.js';
import { RelayNetwork } from './network/relay-network.js';

/** In the process inside: the namespaces, as JSON. */
const NAMESPACES_VARIABLE = 'CONFORMANCE_CLUSTER_NAMESPACES';
const PROGRAM = fileURLToPath(new URL('../main.js', import.meta.url));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How long the process inside may take to end its nodes. */
const STOP_TIMEOUT_MS = 1000;
const INTERRUPTED = 130;

type RunRequest = Extract<ClusterRequest, { kind: 'run' }>;

/** Runs flows over a cluster; the exit code is 0 when all passed or were skipped. */
export async function runClusterCommand(args: readonly string[]): Promise<number> {
  const request = readClusterArguments(args, CLUSTER_FLOWS);
  if (request.kind === 'help') {
    console.log(CLUSTER_HELP);
    return 0;
  }
  if (request.kind === 'list') {
    for (const flow of CLUSTER_FLOWS) console.log(formatClusterFlow(flow));
    return 0;
  }
  const inside = process.env[NAMESPACES_VARIABLE];
  if (inside !== undefined) return runInside(request, JSON.parse(inside) as Namespaces);
  const namespaces = await namespacesFor(request.network);
  if (namespaces !== undefined) return runInNamespaces(namespaces, args);
  for (const signal of SIGNALS) process.once(signal, () => process.exit(INTERRUPTED));
  return runFlows(request, await RelayNetwork.open());
}

async function namespacesFor(choice: NetworkChoice): Promise<Namespaces | undefined> {
  if (choice === 'relay') return undefined;
  try {
    return await createNamespaces();
  } catch (error) {
    if (choice === 'namespaces') throw error;
    return undefined;
  }
}

async function runInNamespaces(namespaces: Namespaces, args: readonly string[]): Promise<number> {
  const words = ['netns', 'exec', namespaces.hub, process.execPath, PROGRAM, 'cluster', ...args];
  const env = { ...process.env, [NAMESPACES_VARIABLE]: JSON.stringify(namespaces) };
  let signalled = false;
  try {
    const child = spawn('ip', words, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        signalled = true;
        endSoon(child);
      });
    }
    const [code] = (await once(child, 'exit')) as [number | null];
    return signalled ? INTERRUPTED : (code ?? 1);
  } finally {
    await removeNamespaces(namespaces);
  }
}

function endSoon(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS).unref();
}

async function runInside(request: RunRequest, namespaces: Namespaces): Promise<number> {
  // Nodes end with this process; it must not outlive the one that removes the namespaces.
  process.once('disconnect', () => process.exit(INTERRUPTED));
  for (const signal of SIGNALS) process.once(signal, () => process.exit(INTERRUPTED));
  const code = await runFlows(request, new NamespaceNetwork(namespaces));
  process.removeAllListeners('disconnect');
  process.disconnect();
  return code;
}

async function runFlows(request: RunRequest, network: ClusterNetwork): Promise<number> {
  const { flows, strength, size, json, notes } = request;
  const say = json ? console.error : console.log;
  say(`three nodes, ${network.description}; limits: ${strength}`);
  try {
    const results = await runClusterFlows(flows, {
      network,
      size,
      onResult: (result) => {
        say(formatClusterResult(result, strength));
        if (notes && outcomeOf(result, strength) === 'failed') say(result.notes.join('\n'));
      },
    });
    if (json) console.log(JSON.stringify(clusterResultsAsJson(results, strength), undefined, 2));
    say(formatClusterCounts(results, strength));
    return results.some((result) => outcomeOf(result, strength) === 'failed') ? 1 : 0;
  } finally {
    await network.close();
  }
}
