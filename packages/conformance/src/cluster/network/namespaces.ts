// Network namespaces for a cluster: one per node, and a hub in the middle that forwards between them and in which the flows
// themselves run. Nothing outside of them is touched, and their names carry the id of the process that made them.
//
//   node 0 10.77.0.2 --veth-- 10.77.0.1 \
//   node 1 10.77.1.2 --veth-- 10.77.1.1  hub (flows, clients, store)
//   node 2 10.77.2.2 --veth-- 10.77.2.1 /
import { NODE_INDICES } from './cluster-network.js';
import { runTool } from './run-tool.js';

/** The namespaces of one run. */
export interface Namespaces {
  readonly hub: string;
  /** One per node. */
  readonly nodes: readonly string[];
}

/** The hub's interface towards a node; clients find addresses of their own by names like this. */
export function hubInterface(node: number): string {
  return `eth${node}`;
}

/** Address of the hub, as seen from a node. */
export function hubAddress(node: number): string {
  return `10.77.${node}.1`;
}

/** Address of a node. */
export function nodeAddress(node: number): string {
  return `10.77.${node}.2`;
}

/**
 * Makes the namespaces of this process.
 * @throws Error when this machine or this user cannot; nothing is left then
 */
export async function createNamespaces(): Promise<Namespaces> {
  const prefix = `rollcall-${process.pid}`;
  const namespaces = { hub: `${prefix}-hub`, nodes: NODE_INDICES.map((node) => `${prefix}-n${node}`) };
  try {
    await runTool('ip', 'netns', 'add', namespaces.hub);
    await inNamespace(namespaces.hub, 'ip', 'link', 'set', 'lo', 'up');
    await inNamespace(namespaces.hub, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
    for (const node of NODE_INDICES) await connectNode(namespaces, node);
  } catch (error) {
    await removeNamespaces(namespaces);
    throw error;
  }
  return namespaces;
}

/** Ends every process that still runs in the namespaces, all of them started by this run, and removes them. */
export async function removeNamespaces({ hub, nodes }: Namespaces): Promise<void> {
  for (const name of [...nodes, hub]) {
    const pids = await runTool('ip', 'netns', 'pids', name).catch(() => '');
    for (const pid of pids.split('\n').filter((line) => line !== '')) endProcess(Number(pid));
    // One that was never made cannot be removed.
    await runTool('ip', 'netns', 'del', name).catch(() => undefined);
  }
}

async function connectNode({ hub, nodes }: Namespaces, node: number): Promise<void> {
  const name = nodes[node] as string;
  const end = hubInterface(node);
  await runTool('ip', 'netns', 'add', name);
  await runTool('ip', '-n', hub, 'link', 'add', end, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  await runTool('ip', '-n', hub, 'address', 'add', `${hubAddress(node)}/24`, 'dev', end);
  await runTool('ip', '-n', hub, 'link', 'set', end, 'up');
  await runTool('ip', '-n', name, 'link', 'set', 'lo', 'up');
  await runTool('ip', '-n', name, 'address', 'add', `${nodeAddress(node)}/24`, 'dev', 'eth0');
  await runTool('ip', '-n', name, 'link', 'set', 'eth0', 'up');
  await runTool('ip', '-n', name, 'route', 'add', 'default', 'via', hubAddress(node));
}

function inNamespace(name: string, ...words: readonly string[]): Promise<string> {
  return runTool('ip', 'netns', 'exec', name, ...words);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Ended meanwhile.
  }
}
