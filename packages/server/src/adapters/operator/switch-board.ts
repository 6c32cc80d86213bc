// Changes switches: durably, or in this process alone.

import { RegistryError } from '@rollcall/protocol';
import type { Actor } from '../../core/actor.js';
import type { Switches } from '../../core/switches.js';
import type { RegistryAccess } from '../registry-access.js';
import { switchUpdate } from './switch-update.js';

/** One change. */
export interface SwitchChange {
  /** Name of an entry; an unknown one changes nothing. */
  readonly entry: string;
  /** As sent. */
  readonly value: string;
  /** `memory`: until the next durable change or the end of the process. */
  readonly scope: 'durable' | 'memory';
}

/** Changes the switches of a registry. */
export class SwitchBoard {
  readonly #registry: RegistryAccess;
  /** What a change in memory put in force, and what was durable then. */
  #inMemory: { readonly inForce: Switches; readonly durable: Switches } | undefined;

  constructor(registry: RegistryAccess) {
    this.#registry = registry;
  }

  /**
   * Makes a change. A durable one is based on the last durable switches, so it ends the changes that were in memory alone.
   *
   * @throws RegistryError for a value that the entry cannot have, or `storage-failed`
   */
  async change({ entry, value, scope }: SwitchChange, actor: Actor): Promise<void> {
    const { core } = this.#registry;
    const allowed = core.limits.expressionLength;
    if (value.length > allowed) {
      const message = `Param 'value' is illegal, found ${value.length} characters, allowed are ${allowed}`;
      throw new RegistryError('limit-exceeded', message, { details: { allowed } });
    }
    if (scope === 'memory') {
      const durable = this.#durable;
      const changed = switchUpdate(core.switches, entry, value);
      this.#registry.step({ type: 'store', changes: [{ type: 'switches', value: changed }], actor });
      this.#inMemory = { inForce: core.switches, durable };
      return;
    }
    await this.#registry.commit(actor, () => {
      const durable = this.#durable;
      const changed = switchUpdate(durable, entry, value);
      return changed === durable ? [] : [{ type: 'switches', value: changed }];
    });
  }

  /** Whoever changes switches durably puts another object in force, so a change in memory is known to have ended. */
  get #durable(): Switches {
    const { switches } = this.#registry.core;
    return this.#inMemory?.inForce === switches ? this.#inMemory.durable : switches;
  }
}
