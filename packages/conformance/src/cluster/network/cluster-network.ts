// What the nodes of a cluster under test are connected by: something that can be cut between nodes so that packets vanish,
// while everybody's clients still reach every node.

/** Where one node runs. */
export interface NodePlace {
  /** Address that clients and members use. */
  readonly host: string;
  readonly port: number;
  /** Words before the node's own command, which put it into its place; none where it needs none. */
  readonly command: readonly string[];
  /** Distance from its port to the one for other nodes. */
  readonly clusterPortOffset: number;
}

/** A network of nodes. */
export interface ClusterNetwork {
  /** For the report: how nodes are kept apart. */
  readonly description: string;
  /** One place per node. */
  readonly places: readonly NodePlace[];
  /** Where other servers that the nodes need may listen: an address that all nodes and this process reach. */
  readonly serviceHost: string;
  /** From now on nothing passes between this node and the others, and nothing is told. @param node - index of the place */
  cut(node: number): Promise<void>;
  /** Undoes `cut`. */
  heal(node: number): Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}

/** Nodes of every cluster under test. */
export const CLUSTER_SIZE = 3;

/** The indices of the nodes. */
export const NODE_INDICES: readonly number[] = Array.from({ length: CLUSTER_SIZE }, (_, index) => index);
