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
    await runTool('sh', '-c', ruleCommands('add', node));
  }

  async heal(node: number): Promise<void> {
    await runTool('sh', '-c', ruleCommands('del', node));
  }

  async close(): Promise<void> {
    // The process that made the namespaces removes them.
  }
}

/** All rules in one process, so that both directions change within milliseconds. */
function ruleCommands(change: 'add' | 'del', node: number): string {
  const others = NODE_INDICES.filter((other) => other !== node);
  const into = others.map((other) => `iif ${hubInterface(other)} to ${nodeAddress(node)}`);
  const rules = [`iif ${hubInterface(node)}`, ...into];
  return `ip -batch - <<END\n${rules.map((rule) => `rule ${change} pref ${RULE_PREFERENCE} ${rule} blackhole`).join('\n')}\nEND`;
}
