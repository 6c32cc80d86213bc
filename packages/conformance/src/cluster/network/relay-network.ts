// The network where there are no namespaces: all nodes on loopback, with a relay of ours on each way from one node to another.
// Every node is told another distance to the port for other nodes; since a node dials the others with its own distance, the
// port that was dialled says who dialled.
import { CLUSTER_SIZE, type ClusterNetwork, NODE_INDICES, type NodePlace } from './cluster-network.js';
import { PeerRelay } from './peer-relay.js';

const HOST = '127.0.0.1';
const CLUSTER_PORT_OFFSET = 2000;
const OFFSET_STEP = 10;
const PORT_STEP = 50;
const FIRST_PORT = 20_000;
const PORT_RANGE = 9000;
const TRIES = 20;

/** Nodes on loopback. A cut node's connections stay open and silent; new ones get no answer. */
export class RelayNetwork implements ClusterNetwork {
  readonly description = 'loopback, a relay between nodes goes silent in a cut';
  readonly places: readonly NodePlace[];
  readonly serviceHost = HOST;
  readonly #relays: readonly PeerRelay[];

  private constructor(places: readonly NodePlace[], relays: readonly PeerRelay[]) {
    this.places = places;
    this.#relays = relays;
  }

  /** Takes free ports and listens. @throws Error when 20 choices of ports were not free */
  static async open(): Promise<RelayNetwork> {
    let cause: unknown;
    for (let tries = 0; tries < TRIES; tries++) {
      const places = placesFrom(FIRST_PORT + Math.floor(Math.random() * PORT_RANGE));
      const relays = relaysOf(places);
      try {
        for (const relay of relays) await relay.listen();
        return new RelayNetwork(places, relays);
      } catch (error) {
        cause = error;
        for (const relay of relays) await relay.close();
      }
    }
    throw new Error(`Cannot find free ports for ${CLUSTER_SIZE} nodes in ${TRIES} tries`, { cause });
  }

  async cut(node: number): Promise<void> {
    for (const relay of this.#relays) if (relay.from === node || relay.to === node) relay.silence();
  }

  async heal(node: number): Promise<void> {
    for (const relay of this.#relays) if (relay.from === node || relay.to === node) relay.resume();
  }

  async close(): Promise<void> {
    for (const relay of this.#relays) await relay.close();
  }
}

function placesFrom(firstPort: number): readonly NodePlace[] {
  return NODE_INDICES.map((node) => ({
    host: HOST,
    port: firstPort + node * PORT_STEP,
    command: [],
    clusterPortOffset: CLUSTER_PORT_OFFSET + node * OFFSET_STEP,
  }));
}

function relaysOf(places: readonly NodePlace[]): readonly PeerRelay[] {
  return places.flatMap((dialler, from) =>
    places.flatMap((dialled, to) => {
      if (from === to) return [];
      const { host, port } = dialled;
      const ports = { listen: port + dialler.clusterPortOffset, target: port + dialled.clusterPortOffset };
      return [new PeerRelay({ from, to, host, ...ports })];
    }),
  );
}
