// A 1.x client: registers over HTTP, beats each 5 s, tries one node after the other with 3 s per try, and registers again
// when a node does not know it (code 20404). Source: client-1x-and-udp.md; Java 1.4 NamingProxy, BeatReactor.

import { type Outcome, sendRequest, TRY_MS } from '../client-request.js';
import type { Operation } from '../operation.js';
import type { SeededRandom } from '../seeded-random.js';
import type { SimKey } from '../sim-key.js';
import type { SimNode } from '../sim-node.js';
import type { World } from '../world.js';
import type { ClientState, SimClient } from './sim-client.js';

const BEAT_MS = 5000;
/** A write that no node took is tried again after this. */
const RETRY_MS = 500;
const WEIGHT_MAX = 100;
const LATE_BEAT_MS_MAX = 2000;
const LAG_CHANCE = 0.3;

/** How a client is set up. */
export interface BeatClientShape {
  readonly name: string;
  readonly key: SimKey;
  readonly random: SeededRandom;
  /** First node it tries, always; undefined for another one each time. */
  readonly home: number | undefined;
  /** `full`: each beat carries the instance and registers it where it is unknown. `light`: it does not. */
  readonly beats: 'full' | 'light';
  /** Durations of its lease as metadata; empty for the defaults. */
  readonly lease: ReadonlyMap<string, string>;
}

/** A 1.x client. */
export class BeatClient implements SimClient {
  readonly protocol = '1.x';
  readonly name: string;
  readonly key: SimKey;
  readonly #world: World;
  readonly #shape: BeatClientShape;
  readonly #lags: SeededRandom;
  readonly #writes: Operation[] = [];
  #current: Operation | undefined;
  #departure: Operation | undefined;
  #life = 0;
  #writing = false;
  #beating = false;
  state: ClientState = 'idle';
  settledSince: number | undefined;
  goneSince: number | undefined;
  lateWriteAt: number | undefined;

  constructor(world: World, shape: BeatClientShape) {
    this.#world = world;
    this.#shape = shape;
    this.name = shape.name;
    this.#lags = shape.random.fork(`lags of ${shape.name}`);
    this.key = shape.key;
  }

  start(): void {
    this.#life += 1;
    this.#writes.length = 0;
    this.#writing = false;
    this.#beating = false;
    this.state = 'alive';
    this.settledSince = undefined;
    this.goneSince = undefined;
    this.lateWriteAt = undefined;
    this.#register();
  }

  update(): void {
    if (this.state === 'alive') this.#register();
  }

  leave(): void {
    if (this.state !== 'alive') return;
    this.state = 'left';
    this.settledSince = undefined;
    this.#departure = this.#world.log.deregister(this.key);
    this.#enqueue(this.#departure);
  }

  leaveWithLateBeat(): void {
    const operation = this.#current;
    this.leave();
    const { random } = this.#shape;
    const node = random.pick(this.#world.nodes);
    const lateMs = random.integer(1, LATE_BEAT_MS_MAX);
    if (operation === undefined || this.state !== 'left') return;
    this.#world.queue.after(lateMs, () => node.deliver(() => this.#takeBeat(operation, node, 'full')));
  }

  die(): void {
    if (this.state !== 'alive') return;
    this.state = 'dead';
    this.goneSince = this.#world.now;
    this.settledSince = undefined;
    this.#life += 1;
  }

  #register(): void {
    const weight = this.#shape.random.integer(1, WEIGHT_MAX);
    this.#enqueue(this.#world.log.register(this.key, weight, this.#shape.lease));
  }

  /** One write at a time, as an application calls one after the other. */
  #enqueue(operation: Operation): void {
    this.#writes.push(operation);
    if (!this.#writing) this.#writeNext();
  }

  #writeNext(): void {
    const operation = this.#writes.shift();
    this.#writing = operation !== undefined;
    if (operation === undefined) return;
    if (operation.content !== undefined) this.#current = operation;
    this.#write(operation, this.#life);
  }

  #write(operation: Operation, life: number): void {
    this.#tryNodes(
      (node) => this.#take(operation, node),
      (answer) => {
        if (life !== this.#life) return;
        if (answer === undefined) {
          this.#world.queue.after(RETRY_MS, () => life === this.#life && this.#write(operation, life));
          return;
        }
        operation.acknowledgedAt ??= this.#world.now;
        if (this.state === 'alive') this.settledSince ??= this.#world.now;
        else if (operation.content === undefined) this.goneSince ??= this.#world.now;
        this.#world.trace.tell(this.#world.now, () => `${this.name} is told that ${operation.name} is done`);
        this.#startBeating();
        this.#writeNext();
      },
    );
  }

  #take(operation: Operation, node: SimNode): true {
    const { service, address } = this.key;
    const { content } = operation;
    const actor = { via: 'http-v1', address: this.#machine } as const;
    this.#world.arrive(operation, node);
    const what = content === undefined ? 'deregistration' : 'registration';
    this.#world.trace.tell(this.#world.now, () => `node ${node.index} takes ${what} ${operation.name} of ${this.name}`);
    if (content === undefined) node.step({ type: 'deregister', service, address, actor });
    else {
      if (this.#isGone) this.lateWriteAt = this.#world.now;
      node.step({ type: 'register', service, address, content, kindRule: 'mixed', actor });
      this.#world.showLife(this.key, node);
    }
    return true;
  }

  #startBeating(): void {
    if (this.#beating || this.state !== 'alive') return;
    this.#beating = true;
    this.#beatLater();
  }

  #beatLater(): void {
    const life = this.#life;
    this.#world.queue.after(BEAT_MS, () => {
      if (life !== this.#life || this.state !== 'alive') return;
      const operation = this.#current as Operation;
      this.#tryNodes(
        (node, waitedMs) => {
          // Its own doing: it went on with a beat while it deregistered.
          if (this.#isGone && waitedMs < TRY_MS) this.lateWriteAt = this.#world.now;
          return this.#takeBeat(operation, node, this.#shape.beats);
        },
        (answer) => {
          if (life !== this.#life || this.state !== 'alive') return;
          if (answer === 'unknown' && !this.#writing) this.#enqueue(this.#current as Operation);
          this.#beatLater();
        },
        () => this.#drawLag(),
      );
    });
  }

  #takeBeat(operation: Operation, node: SimNode, form: BeatClientShape['beats']): 'known' | 'unknown' {
    const { service, address } = this.key;
    const content = form === 'full' ? operation.content : undefined;
    if (content !== undefined) node.step({ type: 'tick' });
    // A full beat is a registration where the instance is not known, unless it may have lain unread in a pause.
    if (content !== undefined && !node.knows(this.key) && node.registersByBeat(this.key)) {
      this.#world.trace.tell(this.#world.now, () => `node ${node.index} takes ${operation.name} from a full beat`);
      this.#world.arrive(operation, node);
    }
    const actor = { via: 'http-v1', address: this.#machine } as const;
    const result = node.step({ type: 'beat', service, address, content, actor });
    // A lease that is not there gets no beat: its client is told to register again.
    if (result.known) this.#world.showLife(this.key, node);
    return result.known ? 'known' : 'unknown';
  }

  /** Most of what waits for a node that stands still is read at once when it goes on. */
  #drawLag(): number {
    return this.#lags.chance(LAG_CHANCE) ? this.#lags.integer(1, 99) / 100 : 0;
  }

  /** One node after the other until one answers. @param done - told undefined when none did */
  #tryNodes<T>(
    take: (node: SimNode, waitedMs: number) => T,
    done: (answer: T | undefined) => void,
    drawLag = () => 0,
  ): void {
    const { nodes } = this.#world;
    const first = this.#shape.home ?? this.#shape.random.integer(0, nodes.length - 1);
    const tryNext = (tried: number): void => {
      if (tried === nodes.length) {
        done(undefined);
        return;
      }
      const node = nodes[(first + tried) % nodes.length] as SimNode;
      const onOutcome = (outcome: Outcome<T>) =>
        outcome.type === 'answered' ? done(outcome.answer) : tryNext(tried + 1);
      sendRequest(this.#world, { machine: this.#machine, node, drawLag, take, done: onOutcome });
    };
    tryNext(0);
  }

  /** Whether some node has taken its deregistration. */
  get #isGone(): boolean {
    return this.state === 'left' && (this.#departure?.arrivals.length ?? 0) > 0;
  }

  get #machine(): string {
    return this.name;
  }
}
