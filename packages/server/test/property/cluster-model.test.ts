// Three nodes against a dumb model: several publishers register the same few addresses at any node, links are cut and
// healed, nodes die and come back, clocks disagree. The simulator gives each address one client; here an address has many.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClusterFixture } from '../../src/testing/cluster-fixture.js';
import { hostOf, metadataOf, serviceOf } from '../../src/testing/core-fixture.js';

const NODES = 3;
const orders = serviceOf('orders');

type Command =
  | { readonly do: 'publish'; readonly connection: number; readonly hosts: readonly number[] }
  | { readonly do: 'close'; readonly connection: number }
  | { readonly do: 'register' | 'deregister'; readonly node: number; readonly host: number }
  | { readonly do: 'cut'; readonly from: number; readonly to: number }
  | { readonly do: 'heal' }
  | { readonly do: 'kill'; readonly node: number }
  | { readonly do: 'restart' }
  | { readonly do: 'pass'; readonly ms: number };

const node = fc.nat(NODES - 1);
const host = fc.integer({ min: 1, max: 3 });
/** Connections 0 to 5; number c is at node c % 3. */
const connection = fc.nat(5);
const write: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('publish' as const), connection, hosts: fc.uniqueArray(host) }),
  fc.record({ do: fc.constant('close' as const), connection }),
  fc.record({ do: fc.constantFrom('register' as const, 'deregister' as const), node, host }),
);
const pass: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('pass' as const),
  ms: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 50, max: 5000 })),
});
const fault: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('cut' as const), from: node, to: node }),
  fc.record({ do: fc.constant('heal' as const) }),
);
const death: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('kill' as const), node }),
  fc.record({ do: fc.constant('restart' as const) }),
);

/** What each publisher said last, in the order in which it was said. */
class Model {
  /** By address: publishers, oldest first, with the mark of what they said. */
  readonly #claims = new Map<number, Map<string, string>>();
  /** Node at which the client that registered an address over HTTP sends its beats. */
  readonly beatsAt = new Map<number, number>();

  put(address: number, publisher: string, mark: string): void {
    const claims = this.#claims.get(address) ?? new Map<string, string>();
    claims.delete(publisher);
    this.#claims.set(address, claims.set(publisher, mark));
  }

  drop(address: number, publisher: string): void {
    this.#claims.get(address)?.delete(publisher);
  }

  keepOnly(publisher: string, addresses: readonly number[]): void {
    for (const address of this.#claims.keys()) if (!addresses.includes(address)) this.drop(address, publisher);
  }

  /** Addresses that somebody publishes, each with the mark of the newest claim. */
  list(): string[] {
    return [...this.#claims].flatMap(([address, claims]) => {
      const mark = [...claims.values()].at(-1);
      return mark === undefined ? [] : [`${address} ${mark}`];
    });
  }
}

/** Carries out commands, a millisecond apart, at the cluster and in the model. */
class Run {
  readonly model = new Model();
  readonly cluster = ClusterFixture.ready(NODES);
  #writes = 0;
  #dead: number | undefined;
  readonly #epochs = new Map<number, number>();

  apply(command: Command): void {
    const { cluster, model } = this;
    this.#writes += 1;
    const mark = `write-${this.#writes}`;
    const content = { metadata: metadataOf({ mark }) };
    switch (command.do) {
      case 'publish': {
        const publisher = `c${command.connection}`;
        if (command.connection % NODES === this.#dead) break;
        cluster.publish(
          command.connection % NODES,
          orders,
          publisher,
          command.hosts.map((address) => hostOf(address)),
          content,
        );
        model.keepOnly(publisher, command.hosts);
        for (const address of command.hosts) model.put(address, publisher, mark);
        break;
      }
      case 'close': {
        const publisher = `c${command.connection}`;
        if (command.connection % NODES === this.#dead) break;
        const closed = { type: 'connection-closed', connection: publisher, cause: 'connection-closed' } as const;
        cluster.step(command.connection % NODES, closed);
        model.keepOnly(publisher, []);
        break;
      }
      case 'register':
        cluster.register(this.#alive(command.node), orders, hostOf(command.host), content);
        model.put(command.host, 'http', mark);
        model.beatsAt.set(command.host, command.node);
        break;
      case 'deregister':
        cluster.deregister(this.#alive(command.node), orders, hostOf(command.host));
        model.drop(command.host, 'http');
        model.beatsAt.delete(command.host);
        break;
      case 'cut':
        if (command.from !== command.to) cluster.cut(command.from, command.to);
        break;
      case 'heal':
        cluster.heal();
        break;
      case 'kill':
        this.#kill(command.node);
        break;
      case 'restart':
        this.restart();
        break;
      case 'pass':
        this.pass(command.ms);
    }
    cluster.advance(1);
  }

  /** The dead node is back, with an empty disk but for its epoch, and has copied what the others have. */
  restart(): void {
    if (this.#dead === undefined) return;
    const epoch = this.#epochs.get(this.#dead) ?? 1;
    this.cluster.restart(this.#dead, { epoch });
    this.#epochs.set(this.#dead, epoch + 1);
    this.#dead = undefined;
    this.pass(3000);
  }

  /** Time goes by, in steps of 5 s at most, and HTTP clients beat. */
  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 5000) {
      this.cluster.advance(Math.min(left, 5000));
      for (const [address, at] of this.model.beatsAt) this.cluster.beat(this.#alive(at), orders, hostOf(address));
    }
  }

  /** What each node shows, in the model's words. */
  shown(): string[][] {
    return this.cluster.nodes.map(({ core }) =>
      (core.view(orders.id)?.hosts ?? []).map(
        ({ ip, healthy, metadata }) => `${healthy ? '' : '-'}${ip.split('.')[3]} ${metadata.get('mark')}`,
      ),
    );
  }

  /** A node dies, unless one is dead already. Its connections die with it. */
  #kill(index: number): void {
    if (this.#dead !== undefined) return;
    this.#dead = index;
    this.cluster.kill(index);
    for (const connection of [index, index + NODES]) this.model.keepOnly(`c${connection}`, []);
  }

  /** The node, or the next one when it is dead. */
  #alive(index: number): number {
    return index === this.#dead ? (index + 1) % NODES : index;
  }
}

const sorted = (list: readonly string[]) => [...list].sort();
const runs = { numRuns: Number(process.env.ROLLCALL_PROPERTY_RUNS ?? 200) };

describe('three nodes with many publishers of one address', () => {
  it('show what a dumb model shows, 10 s after the last fault', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(write, write, pass, fault), { maxLength: 40 }), (commands) => {
        const run = new Run();
        for (const command of commands) run.apply(command);
        run.cluster.heal();
        run.pass(10_000);
        for (const list of run.shown()) expect(sorted(list)).toEqual(sorted(run.model.list()));
      }),
      runs,
    );
  });

  it('agree on the content of each, also when their clocks do not', () => {
    const ahead = fc.tuple(...Array.from({ length: NODES }, () => fc.integer({ min: -3_600_000, max: 3_600_000 })));
    fc.assert(
      fc.property(ahead, fc.array(fc.oneof(write, write, pass), { maxLength: 40 }), (clocks, commands) => {
        const run = new Run();
        for (const [index, ms] of clocks.entries()) Object.assign(run.cluster.nodes[index] ?? {}, { wallAheadMs: ms });
        for (const command of commands) {
          run.apply(command);
          // Long enough for all to know it: what was written knowing of a write is newer than that, whatever clocks say.
          run.pass(1000);
        }
        for (const list of run.shown()) expect(sorted(list)).toEqual(sorted(run.model.list()));
      }),
      runs,
    );
  });

  it('lose nothing but its connections with a node that dies', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(write, write, pass, death), { maxLength: 40 }), (commands) => {
        const run = new Run();
        for (const command of commands) {
          run.apply(command);
          run.pass(1000);
        }
        run.restart();
        run.pass(55_000);
        for (const list of run.shown()) expect(sorted(list)).toEqual(sorted(run.model.list()));
      }),
      runs,
    );
  });
});
