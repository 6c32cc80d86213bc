// The loads of the other nodes, asked from each over HTTP, and the request to one of them to send clients away. A node that
// does not answer costs its part and a log line. Source: Nacos 2.5.1 ServerLoaderController asks over the gRPC of its cluster.

import { boundedText } from '../bounded-fetch.js';
import type { PeerNotices } from '../peer/peer-notices.js';
import type { ClusterView } from './cluster-view.js';
import type { LoadShift, ServerLoad } from './server-load.js';

const BOUNDS = { charactersMax: 64 * 1024, waitMs: 2000 };

/** What it asks with. */
export interface ClusterLoadsOptions {
  readonly cluster: Pick<ClusterView, 'members'>;
  /** In front of all paths, the same on all nodes. */
  readonly contextPath: () => string;
  readonly notices: Pick<PeerNotices, 'warn'>;
}

/** The other nodes as an operator's routes see them. */
export class ClusterLoads {
  readonly #options: ClusterLoadsOptions;

  constructor(options: ClusterLoadsOptions) {
    this.#options = options;
  }

  /** Loads of all other nodes that answer. Never rejects */
  async read(): Promise<readonly ServerLoad[]> {
    const others = this.#options.cluster.members().filter(({ isSelf }) => !isSelf);
    const loads = await Promise.all(others.map(({ address }) => this.#loadOf(address)));
    return loads.flat();
  }

  /** Asks a node to send clients to another. @returns whether it took the request; never rejects */
  async shift({ from, to, left }: LoadShift): Promise<boolean> {
    return (
      (await this.#ask(from, `reloadCurrent?count=${left}&redirectAddress=${encodeURIComponent(to)}`)) !== undefined
    );
  }

  async #loadOf(address: string): Promise<readonly ServerLoad[]> {
    const text = await this.#ask(address, 'cluster?aggregation=false');
    const load = text === undefined ? undefined : readLoad(text);
    return load === undefined ? [] : [{ address, ...load }];
  }

  async #ask(address: string, question: string): Promise<string | undefined> {
    const { contextPath, notices } = this.#options;
    try {
      return await boundedText(`http://${address}${contextPath()}/v2/core/loader/${question}`, BOUNDS);
    } catch (error) {
      notices.warn('loads-incomplete', address, { reason: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }
}

/** The figures in an answer about one server; undefined when it is none. */
function readLoad(text: string): Omit<ServerLoad, 'address'> | undefined {
  try {
    const { sdkConCount, load, cpu } = JSON.parse(text).detail[0];
    const figures = { connections: sdkConCount, load, cpu };
    return Object.values(figures).every(Number.isFinite) ? figures : undefined;
  } catch {
    return undefined;
  }
}
