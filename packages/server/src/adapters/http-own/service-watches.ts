// `/rollcall/v1/watch`: the list of a service as an event, at once and after each change. Changes of one turn of the event
// loop become one event; a watcher that does not keep up is closed by the lane and starts anew.

import { RegistryError, type ServiceKey } from '@rollcall/protocol';
import { textBody } from '../http/answer-description.js';
import type { EventStream } from '../http/event-stream.js';
import type { HttpRequest } from '../http/http-request.js';
import type { StreamRoute } from '../http/route.js';
import { type HttpOwnContext, namedService, SERVICE_PARAMETERS } from './http-own-context.js';
import { INSTANCES_SCHEMA } from './own-answer-schemas.js';
import { serviceListJson } from './service-list.js';

/** Open watches at most; more are refused as `overloaded`. */
const WATCHES_MAX = 1000;

interface WatchedService {
  readonly key: ServiceKey;
  readonly streams: Set<EventStream>;
}

/** All open watches. */
export class ServiceWatches {
  readonly #context: HttpOwnContext;
  readonly #watched = new Map<string, WatchedService>();
  readonly #changed = new Set<WatchedService>();
  readonly #stopListening: () => void;
  #count = 0;

  constructor(context: HttpOwnContext) {
    this.#context = context;
    this.#stopListening = context.registry.onEvent(({ service }) => {
      const watched = this.#watched.get(service.id);
      if (watched !== undefined) this.#sendSoon(watched);
    });
  }

  /** The route that opens watches. */
  get route(): StreamRoute {
    return {
      method: 'GET',
      path: '/rollcall/v1/watch',
      summary: 'The list of a service as server-sent events, at once and after each change',
      produces: textBody(INSTANCES_SCHEMA, 'text/event-stream'),
      parameters: SERVICE_PARAMETERS,
      stream: true,
      open: (request, stream) => this.#open(request, stream),
    };
  }

  /** Ends all watches; for the end of the server. */
  close(): void {
    this.#stopListening();
    for (const { streams } of this.#watched.values()) for (const stream of streams) stream.close();
  }

  #open(request: HttpRequest, stream: EventStream): void {
    const key = namedService(request.parameters, this.#context);
    if (this.#count >= WATCHES_MAX) {
      throw new RegistryError('overloaded', `Watch was refused: ${this.#count} are open, allowed are ${WATCHES_MAX}`);
    }
    const watched = this.#watched.get(key.id) ?? { key, streams: new Set() };
    this.#watched.set(key.id, watched);
    watched.streams.add(stream);
    this.#count += 1;
    stream.onClose(() => this.#forget(watched, stream));
    stream.send(this.#eventOf(key));
  }

  #forget(watched: WatchedService, stream: EventStream): void {
    if (!watched.streams.delete(stream)) return;
    this.#count -= 1;
    if (watched.streams.size === 0) this.#watched.delete(watched.key.id);
  }

  #sendSoon(watched: WatchedService): void {
    if (this.#changed.size === 0) setImmediate(() => this.#sendChanged());
    this.#changed.add(watched);
  }

  #sendChanged(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const { key, streams } of changed) {
      if (streams.size === 0) continue;
      const event = this.#eventOf(key);
      for (const stream of streams) stream.send(event);
    }
  }

  #eventOf(key: ServiceKey): { event: string; id: string; data: string } {
    const { core } = this.#context.registry;
    return { event: 'list', id: String(core.service(key.id)?.refTime ?? 0), data: serviceListJson(core, key) };
  }
}
