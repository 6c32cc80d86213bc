// The live views of a client, by service: the first one of a service makes the core follow it, the last one ends that.

import type { ServiceKey } from '@rollcall/protocol';
import type { ListedEffect } from '../core/client-effect.js';
import { LiveView, type LiveViewOptions } from './live-view.js';

/** What views need of the client. */
export interface ViewTablePort {
  follow(service: ServiceKey): void;
  unfollow(service: ServiceKey): void;
  listenerFailed(service: ServiceKey, error: unknown): void;
}

/** What a new view is told. */
export type NewView = Pick<LiveViewOptions, 'service' | 'clusters' | 'strategy' | 'bounds'>;

/** All open views. */
export class ViewTable {
  readonly #port: ViewTablePort;
  readonly #views = new Map<string, { readonly views: Set<LiveView>; last: ListedEffect | undefined }>();

  /** @param port - see there */
  constructor(port: ViewTablePort) {
    this.#port = port;
  }

  /** Opens a view; it has the current list at once when the service is followed already. */
  open(options: NewView): LiveView {
    const { service } = options;
    const view = new LiveView({
      ...options,
      closed: (closed) => this.#closed(closed),
      listenerFailed: (error) => this.#port.listenerFailed(service, error),
    });
    const known = this.#views.get(service.grouped);
    if (known === undefined) {
      this.#views.set(service.grouped, { views: new Set([view]), last: undefined });
      this.#port.follow(service);
      return view;
    }
    known.views.add(view);
    if (known.last !== undefined) {
      const { instances, origin } = known.last;
      view.take(instances, { added: instances, removed: [], modified: [] }, origin);
    }
    return view;
  }

  /** Takes a list from the core. */
  listed(effect: ListedEffect): void {
    const known = this.#views.get(effect.service.grouped);
    if (known === undefined) return;
    known.last = effect;
    for (const view of [...known.views]) view.take(effect.instances, effect.change, effect.origin);
  }

  /** Closes every view. */
  closeAll(): void {
    for (const view of [...this.#views.values()].flatMap(({ views }) => [...views])) view.close();
  }

  #closed(view: LiveView): void {
    const known = this.#views.get(view.service.grouped);
    if (!known?.views.delete(view) || known.views.size > 0) return;
    this.#views.delete(view.service.grouped);
    this.#port.unfollow(view.service);
  }
}
