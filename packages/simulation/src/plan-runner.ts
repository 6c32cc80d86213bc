// Does what a plan says, and takes everything back at its end, so that the cluster can show that it comes to rest.

import type { SimClient } from './clients/sim-client.js';
import { SOUND_PATHS } from './packet-network.js';
import { type Deed, deedText, type PlannedDeed } from './plan.js';
import type { SimNode } from './sim-node.js';
import type { World } from './world.js';

type DeedOf<T extends Deed['type']> = Extract<Deed, { type: T }>;

/** Runs plans in a world. */
export class PlanRunner {
  readonly #world: World;
  readonly #clients: readonly (SimClient & { readonly side: number })[];
  readonly #goneForGood = new Set<SimNode>();

  /** @param clients - by index; `side` is the node with which a client is cut off */
  constructor(world: World, clients: readonly (SimClient & { readonly side: number })[]) {
    this.#world = world;
    this.#clients = clients;
  }

  /** Arranges that all deeds happen at their times. */
  arrange(plan: readonly PlannedDeed[]): void {
    for (const { atMs, deed } of plan)
      this.#world.queue.at(atMs, () => {
        this.#world.trace.note(this.#world.now, deed.type);
        this.#world.trace.tell(this.#world.now, () => `--- ${deedText(deed)}`);
        this.#do(deed);
      });
  }

  /** Ends all faults: paths are mended, frozen nodes go on, crashed ones come back unless they are to stay away. */
  calm(): void {
    const { network, nodes, trace, now, stores } = this.#world;
    trace.tell(now, () => '--- all faults end');
    network.heal();
    stores?.calm();
    for (const node of nodes) if (nodes.length > 1) node.setMembers(nodes.map(({ id }) => id));
    for (const node of nodes) {
      if (node.state === 'frozen') node.thaw();
      if (node.state === 'down' && !this.#goneForGood.has(node)) this.#start(node);
    }
  }

  #do(deed: Deed): void {
    switch (deed.type) {
      case 'cut':
        this.#cut(deed);
        break;
      case 'quality':
        this.#world.network.setQuality(deed.quality);
        this.#world.queue.after(deed.forMs, () => this.#world.network.setQuality(SOUND_PATHS));
        break;
      case 'crash':
        this.#crash(deed);
        break;
      case 'leave':
        this.#leave(deed);
        break;
      case 'twin':
        this.#startTwin(deed);
        break;
      case 'freeze':
        this.#freeze(deed);
        break;
      case 'jump':
        this.#nodeAt(deed.node).clock.jump(deed.ms);
        this.#world.noteClocks();
        break;
      case 'slow':
        this.#slow(deed);
        break;
      case 'members':
        this.#giveMembers(deed);
        break;
      case 'edit':
        this.#edit(deed);
        break;
      case 'store-cut':
      case 'store-trouble':
      case 'store-event':
      case 'operate':
        this.#world.stores?.do(deed);
        break;
      case 'client':
        this.#clientDoes(deed);
        break;
    }
  }

  #cut({ from, to, ways, clients, forMs }: DeedOf<'cut'>): void {
    const paths: [from: string, to: string][] = [];
    const add = (a: string, b: string) => {
      paths.push([a, b]);
      if (ways === 'both') paths.push([b, a]);
    };
    for (const a of from) for (const b of to) add(this.#nodeAt(a).id, this.#nodeAt(b).id);
    if (clients === 'split')
      for (const { name, side } of this.#clients) {
        const others = from.includes(side) ? to : to.includes(side) ? from : [];
        for (const other of others) add(name, this.#nodeAt(other).id);
      }
    for (const [a, b] of paths) this.#world.network.cut(a, b);
    this.#later(forMs, 'the cut is mended', () => {
      for (const [a, b] of paths) this.#world.network.mend(a, b);
      for (const a of from) for (const b of to) this.#world.traffic.connect(this.#nodeAt(a), this.#nodeAt(b));
    });
  }

  #crash({ node: index, what, disk, forMs }: DeedOf<'crash'>): void {
    const node = this.#nodeAt(index);
    if (node.state === 'down') return;
    const { run } = node;
    node.crash(what);
    if (disk === 'lost') node.disk.wipe();
    this.#world.crashed(node, disk);
    if (forMs === undefined) {
      this.#goneForGood.add(node);
      return;
    }
    this.#world.queue.after(forMs, () => {
      if (node.state === 'down' && node.run === run) this.#start(node);
    });
  }

  #leave({ node, forMs }: DeedOf<'leave'>): void {
    const leaving = this.#nodeAt(node);
    if (leaving.state !== 'running') return;
    leaving.step({ type: 'leaving' });
    this.#crash({ type: 'crash', node, what: 'process', disk: 'kept', forMs });
  }

  #start(node: SimNode): void {
    this.#world.trace.tell(this.#world.now, () => `--- node ${node.index} starts`);
    node.start();
    for (const other of this.#world.nodes) this.#world.traffic.connect(node, other);
  }

  #startTwin({ node, forMs }: DeedOf<'twin'>): void {
    const twin = this.#world.makeTwin(this.#nodeAt(node));
    twin.start();
    this.#later(forMs, 'the second process ends', () => {
      if (twin.state === 'running') twin.crash('process');
    });
  }

  #freeze({ node: index, forMs }: DeedOf<'freeze'>): void {
    const node = this.#nodeAt(index);
    if (node.state !== 'running') return;
    const { run } = node;
    node.freeze();
    this.#later(forMs, `node ${index} goes on`, () => {
      if (node.state === 'frozen' && node.run === run) node.thaw();
    });
  }

  #slow({ node, bytesPerSecond, forMs }: DeedOf<'slow'>): void {
    const { id } = this.#nodeAt(node);
    this.#world.network.setReadingRate(id, bytesPerSecond);
    this.#later(forMs, `node ${node} reads as fast as before`, () => this.#world.network.setReadingRate(id, undefined));
  }

  #giveMembers({ nodes, without, forMs }: DeedOf<'members'>): void {
    const all = this.#world.nodes.map(({ id }) => id);
    const list = all.filter((id) => !without.some((index) => this.#nodeAt(index).id === id));
    for (const index of nodes) this.#nodeAt(index).setMembers(list);
    this.#later(forMs, 'all lists are whole', () => {
      for (const index of nodes) this.#nodeAt(index).setMembers(all);
    });
  }

  #edit({ node: index, client, does }: DeedOf<'edit'>): void {
    const key = this.#clients[client]?.key;
    if (key !== undefined) this.#world.edit(this.#nodeAt(index), key, does);
  }

  #clientDoes({ client: index, does }: DeedOf<'client'>): void {
    const client = this.#clients[index];
    if (client === undefined) return;
    if (does === 'update') client.update();
    else if (does === 'leave') client.leave();
    else if (does === 'leave-with-late-beat') client.leaveWithLateBeat();
    else if (does === 'die') client.die();
    else if (client.state !== 'alive') client.start();
  }

  #later(forMs: number, text: string, action: () => void): void {
    this.#world.queue.after(forMs, () => {
      this.#world.trace.tell(this.#world.now, () => `--- ${text}`);
      action();
    });
  }

  #nodeAt(index: number): SimNode {
    const node = this.#world.nodes[index];
    if (node === undefined) throw new Error(`Plan names node ${index}, there are ${this.#world.nodes.length}`);
    return node;
  }
}
