// `/rollcall/v1/history/follow`: each new fact of a service or instance as a server-sent event. A reader that does not keep up
// is closed by the lane.

import { type Parameters, RegistryError } from '@rollcall/protocol';
import type { Fact, ServerFact } from '../../core/ledger/fact.js';
import type { EntryListener, Ledger } from '../../core/ledger/ledger.js';
import { textBody } from '../http/answer-description.js';
import type { EventStream } from '../http/event-stream.js';
import type { HttpRequest } from '../http/http-request.js';
import type { RouteParameter, StreamRoute } from '../http/route.js';
import { type HttpOwnContext, namedService } from './http-own-context.js';
import { requireKnown } from './known-parameters.js';
import { FACT_SCHEMA } from './ledger-answer-schemas.js';
import { HISTORY_PARAMETERS, kept, namedAddress } from './ledger-routes.js';
import { mentions } from './mentioned-facts.js';

/** Open streams at most; more are refused as `overloaded`. */
const STREAMS_MAX = 200;

const FOLLOW_PARAMETERS: readonly RouteParameter[] = [
  ...HISTORY_PARAMETERS,
  { name: 'after', description: 'Begin with the facts after this time, as `at` of a fact; only new ones without it' },
];

/** All open streams of facts. */
export class HistoryFollow {
  readonly #context: HttpOwnContext;
  readonly #ledger: Ledger | undefined;
  readonly #streams = new Set<EventStream>();

  /** @param ledger - undefined when no history is kept */
  constructor(context: HttpOwnContext, ledger: Ledger | undefined) {
    this.#context = context;
    this.#ledger = ledger;
  }

  /** The route that opens streams. */
  get route(): StreamRoute {
    return {
      method: 'GET',
      path: '/rollcall/v1/history/follow',
      summary: 'What happens to a service or to one of its instances as server-sent events',
      parameters: FOLLOW_PARAMETERS,
      produces: textBody(FACT_SCHEMA, 'text/event-stream'),
      stream: true,
      open: (request, stream) => this.#open(request, stream),
    };
  }

  /** Ends all streams; for the end of the server. */
  close(): void {
    for (const stream of this.#streams) stream.close();
  }

  #open({ parameters }: HttpRequest, stream: EventStream): void {
    const ledger = kept(this.#ledger);
    requireKnown(parameters, FOLLOW_PARAMETERS);
    const { id } = namedService(parameters, this.#context);
    const address = namedAddress(parameters);
    const after = afterOf(parameters);
    if (this.#streams.size >= STREAMS_MAX) {
      const found = `${this.#streams.size} are open, allowed are ${STREAMS_MAX}`;
      throw new RegistryError('overloaded', `Following a history was refused: ${found}`);
    }
    this.#streams.add(stream);
    const send: EntryListener = (entry, service) => {
      if (service !== undefined && service.id !== id) return;
      const fact = ledger.factOf(entry);
      if (service === undefined || mentions(fact as Fact, address)) stream.send(eventOf(fact));
    };
    for (const fact of ledger.history(id)?.facts ?? [])
      if (fact.at > after && mentions(fact, address)) stream.send(eventOf(fact));
    const end = ledger.onEntry(send);
    stream.onClose(() => {
      end();
      this.#streams.delete(stream);
    });
  }
}

/** Where to begin; infinite when only new facts are wanted. */
function afterOf(parameters: Parameters): number {
  const text = parameters.present('after');
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const found = `found "${text}", allowed is epoch ms as in "at" of a fact`;
  throw new RegistryError('invalid-parameter', `Param 'after': ${found}`, { details: { parameter: 'after' } });
}

function eventOf(fact: Fact | ServerFact): { event: string; id: string; data: string } {
  return { event: fact.type, id: String(fact.at), data: JSON.stringify(fact) };
}
