// The parent's side of the attacker: starts it, tells it what to do, and hears how often the server closed its connections.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AttackOrder } from './attacker.js';
import { stopChildServer } from './child-server.js';
import type { Endpoint } from './endpoint.js';

const PROGRAM = fileURLToPath(new URL('./attacker.js', import.meta.url));

/** A process that abuses servers. */
export class AttackerProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts it; it does nothing yet. */
  static async start(): Promise<AttackerProcess> {
    const child = fork(PROGRAM);
    await once(child, 'message');
    return new AttackerProcess(child);
  }

  /** Begins. @param name - kind of abuse, one of `HTTP2_ATTACKS` */
  attack(endpoint: Endpoint, name: string): void {
    this.#order({ order: 'attack', name, endpoint });
  }

  /** Ends the abuse. @returns connections that the server closed */
  async cease(): Promise<number> {
    this.#order({ order: 'stop' });
    const [{ closed }] = (await once(this.#child, 'message')) as [{ readonly closed: number }];
    return closed;
  }

  /** Ends the process. */
  stop(): Promise<void> {
    return stopChildServer(this.#child);
  }

  #order(order: AttackOrder): void {
    this.#child.send(order);
  }
}
