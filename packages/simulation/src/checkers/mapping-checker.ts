// I9: nodes that see the same members, and have done so for longer than the hold-down, name the same owner for each service.

import { DEFAULT_REPLICATION_SETTINGS } from '@rollcall/server/internal';
import { servicesOf } from '../sim-key.js';
import type { SimNode } from '../sim-node.js';
import type { World } from '../world.js';
import { type Checker, Violation } from './checker.js';

const SLACK_MS = 2000;

interface SeenMembers {
  readonly run: number;
  readonly members: string;
  readonly since: number;
}

/** Checks that owners are the same everywhere. */
export class MappingChecker implements Checker {
  readonly rule = 'I9';
  readonly #world: World;
  readonly #seen = new Map<number, SeenMembers>();

  constructor(world: World) {
    this.#world = world;
  }

  onMember(node: number): void {
    this.#seen.delete(node);
  }

  onSample(): void {
    const byMembers = new Map<string, SimNode[]>();
    for (const node of this.#world.nodes) {
      const members = this.#steadyMembers(node);
      if (members !== undefined) byMembers.set(members, [...(byMembers.get(members) ?? []), node]);
    }
    for (const [members, nodes] of byMembers) this.#compare(members.split(' '), nodes);
  }

  /** The members that a node maps services to, when they have long been the same. */
  #steadyMembers(node: SimNode): string | undefined {
    const replication = node.state === 'running' ? node.core?.replication : undefined;
    if (replication === undefined) {
      this.#seen.delete(node.index);
      return undefined;
    }
    const there = replication.members().filter(({ self, state }) => self || state !== 'DOWN');
    const members = [...there.map((member) => member.node)].sort().join(' ');
    const seen = this.#seen.get(node.index);
    if (seen === undefined || seen.members !== members || seen.run !== node.run) {
      this.#seen.set(node.index, { run: node.run, members, since: this.#world.now });
      return undefined;
    }
    const steadyMs = DEFAULT_REPLICATION_SETTINGS.holdDownMs + SLACK_MS;
    return this.#world.now - seen.since > steadyMs + this.#world.pausedMs(node.index, seen.since) ? members : undefined;
  }

  #compare(members: readonly string[], nodes: readonly SimNode[]): void {
    for (const { id } of servicesOf(this.#world.keys)) {
      const owners = nodes.filter(({ core }) => core?.replication?.owns(id));
      const expected = nodes.length === members.length ? 1 : owners.length;
      if (owners.length > 1 || owners.length !== expected)
        throw new Violation(
          this.rule,
          `${owners.length} of the nodes ${nodes.map(({ index }) => index).join(', ')} own ${id}; all see ${members.join(', ')}`,
        );
    }
  }
}
