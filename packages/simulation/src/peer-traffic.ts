// Messages between nodes on their way: written as JSON and read again, as on a real connection, so that no node sees the
// objects of its sender. A process that is not there refuses, at most once a second for each peer, as a dialler with
// back-off notices; what was meant for a process that has ended goes with its connection. So does what came from one, once the
// next run of that node is there: the transport lets that in when the connection of the one before is over (`run-contest.ts`).

import type { PeerMessage } from '@rollcall/server/internal';
import type { Checker } from './checkers/checker.js';
import type { EventQueue } from './event-queue.js';
import type { PacketNetwork } from './packet-network.js';
import type { SeededRandom } from './seeded-random.js';
import type { SetMirror } from './set-mirror.js';
import type { SimNode } from './sim-node.js';
import type { Trace } from './trace.js';

const REFUSAL_MS = 1000;
/** Longest pause of a dialler. */
const REDIAL_MS_MAX = 1000;

/** What traffic needs of the world. */
interface TrafficWorld {
  readonly nodes: readonly SimNode[];
  readonly queue: EventQueue;
  readonly network: PacketNetwork;
  readonly random: SeededRandom;
  readonly mirror: SetMirror;
  readonly trace: Trace;
  readonly checkers: readonly Checker[];
}

/** A message as it goes over the wire; most go to several nodes. */
class WrittenMessage {
  readonly original: PeerMessage;
  readonly text: string;
  #read: PeerMessage | undefined;

  constructor(original: PeerMessage) {
    this.original = original;
    this.text = JSON.stringify(original);
  }

  /** As receivers read it. They never change it, so that one reading serves all. */
  get read(): PeerMessage {
    this.#read ??= JSON.parse(this.text) as PeerMessage;
    return this.#read;
  }
}

/** Carries messages. */
export class PeerTraffic {
  readonly #world: TrafficWorld;
  readonly #refusedAt = new Map<string, number>();
  #written: WrittenMessage | undefined;
  /** Changes messages on their way, or loses them: for tests that break a rule on purpose. */
  tamper: ((message: PeerMessage, from: SimNode, to: SimNode) => PeerMessage | undefined) | undefined;
  /** Another process with the address of a node: it hears what that one hears. */
  twin: SimNode | undefined;
  /** Messages and bytes sent so far. */
  messages = 0;
  bytes = 0;

  constructor(world: TrafficWorld) {
    this.#world = world;
  }

  /** A node sends a message to another. */
  send(from: SimNode, to: string, original: PeerMessage): void {
    const { nodes } = this.#world;
    for (const target of [...nodes, ...(this.twin === undefined ? [] : [this.twin])])
      if (target.id === to) this.#sendTo(from, target, original);
  }

  /** A way between two nodes is there again: each of them may notice when its next dialling succeeds. */
  connect(one: SimNode, other: SimNode): void {
    if (one === other) return;
    this.#connectOneWay(one, other);
    this.#connectOneWay(other, one);
  }

  #connectOneWay(from: SimNode, to: SimNode): void {
    const { queue, network, random } = this.#world;
    queue.after(random.integer(1, REDIAL_MS_MAX), () => {
      const isCut = network.isCut(from.id, to.id) || network.isCut(to.id, from.id);
      if (isCut || from.state !== 'running' || to.state !== 'running') return;
      from.step({ type: 'peer-connected', peer: to.id });
    });
  }

  #sendTo(from: SimNode, target: SimNode, original: PeerMessage): void {
    const { network, queue, trace } = this.#world;
    const message = this.tamper === undefined ? original : this.tamper(original, from, target);
    if (message === undefined) return;
    const written = this.#written?.original === message ? this.#written : new WrittenMessage(message);
    if (written !== this.#written) trace.note(queue.now, written.text);
    this.#written = written;
    const bytes = written.text.length;
    this.messages += 1;
    this.bytes += bytes;
    trace.note(queue.now, `${from.index}>${target.index}`);
    this.#watch(from, target, message, bytes);
    const runs = [from.run, target.run];
    network.send({ from: from.id, to: target.id, bytes, delivery: 'once' }, () => {
      if (from.run === runs[0] && target.run === runs[1]) this.#arrive(from, target, written);
    });
  }

  #watch(from: SimNode, to: SimNode, message: PeerMessage, bytes: number): void {
    const { queue, mirror, checkers } = this.#world;
    const at = queue.now;
    const sent = { at, from: from.index, run: from.run, to: to.index, bytes, message };
    for (const checker of checkers) checker.onMessage?.(sent);
    mirror.learn(message, at, (dropped) => {
      for (const checker of checkers) checker.onDrop?.(dropped);
    });
  }

  #arrive(from: SimNode, target: SimNode, { read: message }: WrittenMessage): void {
    const taken = target.deliver(() => {
      for (const checker of this.#world.checkers)
        checker.onDelivery?.(target.index, from.index, message, target.now.mono);
      target.step({ type: 'peer-message', peer: from.id, message });
    });
    if (!taken && target.refuses && target !== this.twin) this.#refuse(from, target);
  }

  #refuse(from: SimNode, target: SimNode): void {
    const { queue, network } = this.#world;
    const pair = `${from.index}/${from.run}>${target.index}`;
    if (queue.now - (this.#refusedAt.get(pair) ?? Number.NEGATIVE_INFINITY) < REFUSAL_MS) return;
    this.#refusedAt.set(pair, queue.now);
    network.send({ from: target.id, to: from.id, bytes: 40, delivery: 'stream' }, () => {
      if (target.state === 'down' && from.state === 'running') from.step({ type: 'peer-refused', peer: target.id });
    });
  }
}
