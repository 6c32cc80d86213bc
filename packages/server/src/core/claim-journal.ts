// What a restart has to bring back of the claims: those whose lease is held by this node. Of persistent instances, which the
// store keeps, only the version of their list.

import type { Registration, RemoteLease } from './instance-record.js';
import { registeredEntry } from './registered-entry.js';
import type { RegistryState } from './registry-state.js';
import type { Service } from './service.js';

/** Whether a claim is in the journal of this node: its lease is held here, or was before a restart. */
export function isJournalled(heldBy: RemoteLease | undefined): boolean {
  return heldBy === undefined || heldBy.id === 0;
}

/** Writes claims into the journal. */
export class ClaimJournal {
  readonly #state: RegistryState;

  constructor(state: RegistryState) {
    this.#state = state;
  }

  /** A claim is new, has new content, or came here. */
  put(service: Service, registration: Registration): void {
    if (registration.heldBy !== undefined) return;
    if (registration.record.kind === 'persistent') this.#version(service);
    else this.#state.journal(registeredEntry(service, registration));
  }

  /** The health of a claim is another one. */
  health(service: Service, { record, publisher, healthy, heldBy }: Registration): void {
    if (heldBy !== undefined) return;
    const { key, refTime } = service;
    if (record.kind === 'persistent') this.#version(service);
    else this.#state.journal({ type: 'health', service: key, address: record.address, publisher, healthy, refTime });
  }

  /** A claim ended, or left. */
  end(service: Service, { record, publisher }: Registration): void {
    const { key, refTime } = service;
    if (record.kind === 'persistent') this.#version(service);
    else this.#state.journal({ type: 'removed', service: key, address: record.address, publisher, refTime });
  }

  #version({ key, refTime }: Service): void {
    this.#state.journal({ type: 'list-version', service: key, refTime });
  }
}
