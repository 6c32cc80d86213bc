// What readers of each node see, looked at after every step. A view is immutable and replaced as a whole, so a comparison
// of references finds what changed.

import type { InstanceView, ServiceView } from '@rollcall/server/internal';
import type { Shown, ViewChange } from './checkers/checker.js';
import { operationNameOf } from './operation.js';
import { type SimKey, servicesOf } from './sim-key.js';
import type { SimNode } from './sim-node.js';

interface SeenKey {
  readonly view: InstanceView;
  readonly shown: Shown;
}

/** What was seen last on one node. */
class SeenNode {
  readonly views: (ServiceView | undefined)[] = [];
  readonly keys = new Map<SimKey, SeenKey>();
}

/** Watches the views of all nodes. */
export class ViewWatch {
  readonly #serviceIds: readonly string[];
  readonly #keysByService: readonly ReadonlyMap<string, SimKey>[];
  readonly #seen = new Map<number, SeenNode>();
  readonly #onChange: (change: ViewChange) => void;

  /** @param onChange - called for each key that changed */
  constructor(keys: readonly SimKey[], onChange: (change: ViewChange) => void) {
    this.#serviceIds = servicesOf(keys).map(({ id }) => id);
    this.#keysByService = this.#serviceIds.map(
      (id) => new Map(keys.filter(({ service }) => service.id === id).map((key) => [key.address.key, key])),
    );
    this.#onChange = onChange;
  }

  /** Looks at a node after a step. */
  look(node: SimNode, at: number): void {
    const seen = this.#seenOf(node);
    this.#serviceIds.forEach((id, index) => {
      const view = node.core?.view(id);
      const before = seen.views[index];
      if (view === before) return;
      seen.views[index] = view;
      if (before?.hosts !== view?.hosts) this.#compare(node, at, index, view);
    });
  }

  /** The run of a node is over. */
  forget(node: SimNode): void {
    this.#seen.delete(node.index);
  }

  /** What a node's readers see of a key. */
  shown(node: SimNode, key: SimKey): Shown | undefined {
    return this.#seen.get(node.index)?.keys.get(key)?.shown;
  }

  /** Everything that a node's readers see. */
  all(node: SimNode): ReadonlyMap<SimKey, { readonly shown: Shown }> {
    return this.#seenOf(node).keys;
  }

  #seenOf(node: SimNode): SeenNode {
    let seen = this.#seen.get(node.index);
    if (seen === undefined) {
      seen = new SeenNode();
      this.#seen.set(node.index, seen);
    }
    return seen;
  }

  #compare(node: SimNode, at: number, serviceIndex: number, view: ServiceView | undefined): void {
    const keys = this.#keysByService[serviceIndex] as ReadonlyMap<string, SimKey>;
    const seen = this.#seenOf(node).keys;
    const gone = new Set<SimKey>();
    for (const key of keys.values()) if (seen.has(key)) gone.add(key);
    for (const host of view?.hosts ?? []) {
      const key = keys.get(host.address.key);
      if (key === undefined || !host.ephemeral) continue;
      gone.delete(key);
      const before = seen.get(key);
      if (before?.view === host) continue;
      const shown = shownOf(host);
      seen.set(key, { view: host, shown });
      if (!isSame(before?.shown, shown)) this.#report(node, at, key, before?.shown, shown);
    }
    for (const key of gone) {
      const before = seen.get(key)?.shown;
      seen.delete(key);
      this.#report(node, at, key, before, undefined);
    }
  }

  #report(node: SimNode, at: number, key: SimKey, before: Shown | undefined, after: Shown | undefined): void {
    this.#onChange({ at, node: node.index, run: node.run, key, before, after });
  }
}

function shownOf({ healthy, content }: InstanceView): Shown {
  return {
    operation: operationNameOf(content),
    healthy,
    weight: content.weight,
    enabled: content.enabled,
    metadata: metadataText(content.metadata),
  };
}

/** Metadata as one text, so that maps can be compared: order does not matter to readers. */
export function metadataText(metadata: ReadonlyMap<string, string>): string {
  return JSON.stringify([...metadata].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isSame(one: Shown | undefined, other: Shown): boolean {
  return (
    one !== undefined &&
    one.operation === other.operation &&
    one.healthy === other.healthy &&
    one.weight === other.weight &&
    one.enabled === other.enabled &&
    one.metadata === other.metadata
  );
}
