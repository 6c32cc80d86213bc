// How adapters hear of changes: watches, metrics and the log all listen to the same events.

import type { RegistryEvent, ServerEvent } from '../core/registry-event.js';

/** Source of the core's events. */
export interface RegistryEvents {
  /**
   * Calls back for each event, after the step that caused it. A listener that throws is logged and stays.
   *
   * @returns ends the listening
   */
  onEvent(listener: (event: RegistryEvent) => void): () => void;
}

/** Source of events that concern the whole server. */
export interface ServerEvents {
  /** As {@link RegistryEvents.onEvent}. */
  onServerEvent(listener: (event: ServerEvent) => void): () => void;
}
