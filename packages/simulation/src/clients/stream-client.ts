// A 2.x client: one connection, over which it registers and subscribes; looks each 5 s whether it still works (3 tries of
// 3 s), goes to the next node when it does not, and does everything again there. Source: grpc-2x.md; Java RpcClient.

import { type Outcome, sendRequest } from '../client-request.js';
import type { Operation } from '../operation.js';
import type { SeededRandom } from '../seeded-random.js';
import type { SimKey } from '../sim-key.js';
import type { SimNode } from '../sim-node.js';
import type { StreamSessions } from '../stream-sessions.js';
import type { World } from '../world.js';
import type { ClientState, SimClient } from './sim-client.js';
import { StreamSubscriber } from './stream-subscriber.js';

const HEALTH_CHECK_MS = 5000;
const HEALTH_TRIES = 3;
const NEXT_NODE_MS = 200;
/** A write that was not answered well is done again with the next look of the redo service. */
const REDO_MS = 3000;
const WEIGHT_MAX = 100;

/** How a client is set up. */
export interface StreamClientShape {
  readonly name: string;
  readonly key: SimKey;
  readonly random: SeededRandom;
  /** Node to which it connects first. */
  readonly home: number;
  readonly sessions: StreamSessions;
  /** Ids of services that it subscribes to. */
  readonly subscriptions: readonly SimKey['service'][];
}

/** A 2.x client. */
export class StreamClient implements SimClient {
  readonly protocol = '2.x';
  readonly name: string;
  readonly key: SimKey;
  readonly #world: World;
  readonly #shape: StreamClientShape;
  /** What its subscriptions show. */
  readonly subscriber: StreamSubscriber;
  #wanted: Operation | undefined;
  #node: number;
  #connection: string | undefined;
  #connections = 0;
  /** The last write that a node took, by connection. */
  #taken = { connection: '', order: -1 };
  state: ClientState = 'idle';
  settledSince: number | undefined;
  goneSince: number | undefined;

  constructor(world: World, shape: StreamClientShape) {
    this.#world = world;
    this.#shape = shape;
    this.name = shape.name;
    this.key = shape.key;
    this.#node = shape.home;
    this.subscriber = new StreamSubscriber(world, shape.name, shape.subscriptions);
  }

  /** Its connection while it has one. */
  get connection(): string | undefined {
    return this.#connection;
  }

  /** Node at which it is, or tries to be. */
  get node(): SimNode {
    return this.#world.nodes[this.#node] as SimNode;
  }

  start(): void {
    this.state = 'alive';
    this.settledSince = undefined;
    this.goneSince = undefined;
    this.#wanted = this.#newContent();
    // Who said goodbye to one service kept its connection.
    if (this.#connection === undefined) this.#connect();
    else this.#publish(this.#connection);
  }

  update(): void {
    if (this.state !== 'alive') return;
    this.#wanted = this.#newContent();
    if (this.#connection !== undefined) this.#publish(this.#connection);
  }

  leave(): void {
    if (this.state !== 'alive') return;
    this.state = 'left';
    this.settledSince = undefined;
    const operation = this.#world.log.deregister(this.key);
    this.#wanted = operation;
    if (this.#connection !== undefined) this.#publish(this.#connection);
  }

  leaveWithLateBeat(): void {
    this.leave();
  }

  die(): void {
    if (this.state !== 'alive') return;
    this.state = 'dead';
    this.goneSince = this.#world.now;
    this.settledSince = undefined;
    this.#hangUp();
  }

  #newContent(): Operation {
    return this.#world.log.register(this.key, this.#shape.random.integer(1, WEIGHT_MAX), new Map());
  }

  #connect(): void {
    this.#connections += 1;
    const id = `${this.name}-${this.#connections}`;
    this.#request(
      id,
      (node) => this.#shape.sessions.open(id, node),
      (outcome) => {
        if (this.state === 'dead') return;
        if (outcome.type === 'answered') this.#connected(id);
        else this.#connectNext();
      },
    );
  }

  #connectNext(): void {
    this.#node = (this.#node + 1) % this.#world.nodes.length;
    this.#world.queue.after(NEXT_NODE_MS, () => {
      if (this.state !== 'dead' && this.#connection === undefined) this.#connect();
    });
  }

  #connected(id: string): void {
    this.#connection = id;
    this.#world.trace.tell(this.#world.now, () => `${this.name} is connected to node ${this.#node} as ${id}`);
    this.subscriber.connected(id, this.node);
    this.#checkLater(id);
    this.#publish(id);
    this.#subscribeAll(id);
  }

  /** The process of its node ended and the connection broke: noticed at once. */
  broken(id: string): void {
    if (this.#connection === id && this.state !== 'dead') this.#lost();
  }

  #lost(): void {
    this.#hangUp();
    this.#connectNext();
  }

  #hangUp(): void {
    const id = this.#connection;
    if (id === undefined) return;
    this.#connection = undefined;
    this.subscriber.disconnected();
    const { node } = this;
    const goodbye = { from: this.name, to: node.id, bytes: 40, delivery: 'stream' } as const;
    this.#world.network.send(goodbye, () => node.deliver(() => this.#shape.sessions.close(id, 'connection-closed')));
  }

  #checkLater(id: string): void {
    this.#world.queue.after(HEALTH_CHECK_MS, () => this.#connection === id && this.#check(id, 1));
  }

  #check(id: string, attempt: number): void {
    this.#request(
      id,
      () => this.#shape.sessions.heard(id),
      (outcome) => {
        if (this.#connection !== id) return;
        if (outcome.type === 'answered' && outcome.answer) this.#checkLater(id);
        else if (outcome.type === 'timeout' && attempt < HEALTH_TRIES) this.#check(id, attempt + 1);
        else this.#lost();
      },
    );
  }

  #publish(id: string): void {
    const operation = this.#wanted as Operation;
    this.#request(
      id,
      (node) => this.#shape.sessions.heard(id) && this.#takePublication(operation, id, node),
      (outcome) => {
        if (this.#connection !== id || operation !== this.#wanted) return;
        if (outcome.type === 'answered' && outcome.answer) this.#acknowledged(operation);
        else this.#world.queue.after(REDO_MS, () => this.#connection === id && this.#publish(id));
      },
    );
  }

  #acknowledged(operation: Operation): void {
    operation.acknowledgedAt ??= this.#world.now;
    if (this.state === 'alive') this.settledSince ??= this.#world.now;
    else this.goneSince ??= this.#world.now;
    this.#world.trace.tell(this.#world.now, () => `${this.name} is told that ${operation.name} is done`);
  }

  #takePublication(operation: Operation, id: string, node: SimNode): boolean {
    // Requests of one connection stay in order: what comes after a later one was taken before it.
    const order = this.#world.log.of(this.key).indexOf(operation);
    if (this.#taken.connection === id && order < this.#taken.order) return true;
    this.#taken = { connection: id, order };
    const { service, address } = this.key;
    const { content } = operation;
    this.#world.arrive(operation, node);
    this.#world.trace.tell(
      this.#world.now,
      () => `node ${node.index} takes ${operation.name} of ${this.name} over ${id}`,
    );
    const actor = { via: 'grpc', address: this.name } as const;
    const instances = content === undefined ? [] : [{ address, content }];
    node.step({
      type: 'publish',
      service,
      connection: id,
      instances,
      means: instances.length > 0 ? 'list' : 'end',
      actor,
    });
    return true;
  }

  #subscribeAll(id: string): void {
    for (const service of this.#shape.subscriptions)
      this.#request(
        id,
        (node) => this.#shape.sessions.heard(id) && this.subscriber.subscribe(service, id, node),
        (outcome) => {
          if (this.#connection !== id) return;
          if (outcome.type === 'answered' && outcome.answer !== false) this.subscriber.answered(outcome.answer);
          else this.#world.queue.after(REDO_MS, () => this.#connection === id && this.#subscribeAll(id));
        },
      );
  }

  #request<T>(id: string, take: (node: SimNode) => T, done: (outcome: Outcome<T>) => void): void {
    sendRequest(this.#world, { machine: this.name, node: this.node, take, done });
    this.#world.trace.note(this.#world.now, `${id} asks`);
  }
}
