// When instances that died or were deregistered left the lists of each node, and whether they came back.
import { addressKey } from './expected-view.js';
import type { SampledList, ViewSampler } from './view-sampler.js';

/** How an instance left one node. Times are on the clock of `performance.now()`. */
export interface Departure {
  readonly address: string;
  readonly node: number;
  /** Since when it is watched. */
  readonly sinceMs: number;
  /** First list in which it was unhealthy or missing. */
  unhealthyAtMs: number | undefined;
  /** First list in which it was missing. */
  absentAtMs: number | undefined;
  /** First list in which it was there again. */
  returnedAtMs: number | undefined;
}

interface Departing {
  readonly serviceName: string;
  readonly ip: string;
  readonly port: number;
}

/** Watches instances. */
export class DepartureWatch {
  readonly #nodes: number;
  readonly #departures = new Map<string, Departure>();

  /** @param nodes - how many there are */
  constructor(view: ViewSampler, nodes: number) {
    this.#nodes = nodes;
    view.onList((list) => this.#see(list));
  }

  /** Watches an instance from now on. */
  watch(instance: Departing): void {
    const times = { unhealthyAtMs: undefined, absentAtMs: undefined, returnedAtMs: undefined };
    const address = addressKey(instance);
    for (let node = 0; node < this.#nodes; node++) {
      const departure = { address, node, sinceMs: performance.now(), ...times };
      this.#departures.set(keyOf(node, instance.serviceName, address), departure);
    }
  }

  /** What was seen so far at the nodes. */
  at(nodes: readonly number[]): readonly Departure[] {
    return [...this.#departures.values()].filter(({ node }) => nodes.includes(node));
  }

  /** How many came back, each node by itself. */
  returned(nodes: readonly number[]): number {
    return this.at(nodes).filter(({ returnedAtMs }) => returnedAtMs !== undefined).length;
  }

  #see({ node, serviceName, askedAtMs, hosts }: SampledList): void {
    const healthBy = new Map(hosts.map((host) => [addressKey(host), host.healthy]));
    const prefix = keyOf(node, serviceName, '');
    const nowMs = performance.now();
    for (const [key, departure] of this.#departures) {
      if (!key.startsWith(prefix) || askedAtMs < departure.sinceMs) continue;
      const health = healthBy.get(departure.address);
      if (health !== true) departure.unhealthyAtMs ??= nowMs;
      if (health === undefined) departure.absentAtMs ??= nowMs;
      else if (departure.absentAtMs !== undefined) departure.returnedAtMs ??= nowMs;
    }
  }
}

function keyOf(node: number, serviceName: string, address: string): string {
  return `${node} ${serviceName} ${address}`;
}
