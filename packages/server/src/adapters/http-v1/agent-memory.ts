// Who asks, from the headers of a request. Clients of one kind send the same text in every request, so the few texts in
// use are parsed once.

import { agentText, type ClientAgent, groupedNames, parseAgent } from '@rollcall/protocol';
import type { HttpRequest } from '../http/http-request.js';

/** A client with what lists need to know of it. */
export interface KnownAgent {
  readonly agent: ClientAgent;
  /** How it wants service names in lists. */
  readonly names: 'grouped' | 'bare';
}

/** Agents kept at most; when there are more, all are parsed anew. */
const KEPT_MAX = 256;
/** Longer texts are not kept. */
const KEPT_LENGTH_MAX = 256;

/** Agents by their text. */
export class AgentMemory {
  readonly #kept = new Map<string, KnownAgent>();

  /** The agent of a request. */
  of(request: HttpRequest): KnownAgent {
    const userAgent = request.header('user-agent');
    // Nearly every client sends the first header; looking for the second one costs as much again.
    return this.ofText(agentText(userAgent, userAgent ? undefined : request.header('client-version')));
  }

  /** The agent that a text names. */
  ofText(text: string): KnownAgent {
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    const agent = parseAgent(text);
    const known: KnownAgent = { agent, names: groupedNames(agent) ? 'grouped' : 'bare' };
    if (text.length <= KEPT_LENGTH_MAX) {
      if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
      this.#kept.set(text, known);
    }
    return known;
  }
}
