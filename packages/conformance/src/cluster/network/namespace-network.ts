// The network of a run that happens in the hub of its namespaces. A cut is a routing rule of the hub: what one node sends to
// another is thrown away on its way, without a reset or a message, as by a broken switch. Clients in the hub are not cut off.
import { type ClusterNetwork, NODE_INDICES, type NodePlace } from './cluster-network.js';
import { hubAddress, hubInterface, type Namespaces, nodeAddress } from './namespaces.js';
import { runTool } from './run-tool.js';

const PORT = 8848;
const CLUSTER_PORT_OFFSET = 2000;
/** Rules of cuts come after the one for the hub's own addresses (0) and before all others. */
const RULE_PREFERENCE = '10';

/** The network inside the namespaces; its process must run in their hub. */
export class NamespaceNetwork implements ClusterNetwork {
  readonly description = 'network namespaces, packets of a cut vanish';
  readonly places: readonly NodePlace[];
  readonly serviceHost = hubAddress(0);

  constructor({ nodes }: Namespaces) {
    this.places = nodes.map((name, node) => ({
      host: nodeAddress(node),
      port: PORT,
      command: ['ip', 'netns', 'exec', name],
      clusterPortOffset: CLUSTER_PORT_OFFSET,
    }));
  }

  async cut(node: number): Promise<void> {
    for (const rule of cutRules(node)) await runTool('ip', 'rule', 'add', 'pref', RULE_PREFERENCE, ...rule);
  }

  async heal(node: number): Promise<void> {
    for (const rule of cutRules(node)) await runTool('ip', 'rule', 'del', 'pref', RULE_PREFERENCE, ...rule);
  }

  async close(): Promise<void> {
    // The process that made the namespaces removes them.
  }
}

function cutRules(node: number): readonly (readonly string[])[] {
  const others = NODE_INDICES.filter((other) => other !== node);
  const into = others.map((other) => ['iif', hubInterface(other), 'to', nodeAddress(node), 'blackhole']);
  return [['iif', hubInterface(node), 'blackhole'], ...into];
}
