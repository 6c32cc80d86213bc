// Asks for service lists and counts what a consumer would see: hosts, healthy ones, services answered short.

import type { Answer } from './http-response-reader.js';
import { INSTANCES_PER_SERVICE } from './instance-population.js';

/** Counts over the lists seen so far. */
export class HealthSweep {
  #lists = 0;
  #hosts = 0;
  #unhealthy = 0;
  #missing = 0;

  readonly #perService: number;

  /** @param perService - hosts that every list should have */
  constructor(perService: number = INSTANCES_PER_SERVICE) {
    this.#perService = perService;
  }

  /** Lists counted. */
  get lists(): number {
    return this.#lists;
  }

  /** Hosts in those lists. */
  get hosts(): number {
    return this.#hosts;
  }

  /** Hosts that were shown unhealthy. */
  get unhealthy(): number {
    return this.#unhealthy;
  }

  /** Hosts that should have been in a list and were not. */
  get missing(): number {
    return this.#missing;
  }

  /** Counts one list answer; false when it is not one. */
  count(answer: Answer): boolean {
    if (answer.status !== 200) return false;
    const list = JSON.parse(answer.body.toString()) as { readonly hosts: readonly { readonly healthy: boolean }[] };
    this.#lists++;
    this.#hosts += list.hosts.length;
    this.#missing += Math.max(this.#perService - list.hosts.length, 0);
    this.#unhealthy += list.hosts.filter((host) => !host.healthy).length;
    return true;
  }
}
