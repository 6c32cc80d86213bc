// Cross-origin calls from browser pages: refused by leaving the headers out unless the origin is in the list.
// Source: WHATWG Fetch, CORS protocol. Nacos allows every origin with credentials; here none is allowed until it is named.

import type { HttpAnswer } from './http-answer.js';
import { textAnswer } from './http-answer.js';
import type { HttpRequest } from './http-request.js';
import type { RouteMethod } from './route.js';

type Header = readonly [string, string];

/** Seconds for which a browser may keep the answer to a preflight; as Nacos. */
const PREFLIGHT_AGE_S = 18_000;
const NO_BODY = new Uint8Array(0);

/** Decides what pages may call. */
export class CorsPolicy {
  readonly #origins: ReadonlySet<string>;
  readonly #anyOrigin: boolean;

  /** @param allowedOrigins - see `HttpSettings.allowedOrigins` */
  constructor(allowedOrigins: readonly string[]) {
    this.#origins = new Set(allowedOrigins);
    this.#anyOrigin = this.#origins.has('*');
  }

  /** Whether any origin is allowed; when not, no header about origins is ever sent. */
  get enabled(): boolean {
    return this.#origins.size > 0;
  }

  /** Headers of every answer: caches must keep answers per origin. */
  get commonHeaders(): readonly Header[] {
    return this.enabled ? [['Vary', 'Origin']] : [];
  }

  /** Headers that let a page of an origin read an answer; none when it may not. */
  headersFor(origin: string | undefined): readonly Header[] {
    if (origin === undefined || !this.#allows(origin)) return [];
    if (!this.#origins.has(origin)) return [['Access-Control-Allow-Origin', '*']];
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Credentials', 'true'],
    ];
  }

  /**
   * Answers OPTIONS: a preflight by what the page may do, any other by the methods of the path.
   *
   * @param methods - methods that the path offers
   */
  answerOptions(request: HttpRequest, methods: readonly RouteMethod[]): HttpAnswer {
    const origin = request.header('origin');
    if (origin === undefined || request.header('access-control-request-method') === undefined) {
      return { status: 204, contentType: '', body: NO_BODY, headers: [['Allow', [...methods, 'OPTIONS'].join(', ')]] };
    }
    if (!this.#allows(origin)) return textAnswer(403, 'Invalid CORS request');
    const wanted = request.header('access-control-request-headers');
    const headers: Header[] = [['Access-Control-Allow-Methods', methods.join(', ')]];
    if (wanted !== undefined && isHeaderList(wanted)) headers.push(['Access-Control-Allow-Headers', wanted]);
    headers.push(['Access-Control-Max-Age', String(PREFLIGHT_AGE_S)]);
    return { status: 204, contentType: '', body: NO_BODY, headers };
  }

  #allows(origin: string): boolean {
    return this.#anyOrigin || this.#origins.has(origin);
  }
}

/** Names and commas only: what a browser sent is echoed, what anyone else invents is not. */
function isHeaderList(text: string): boolean {
  return /^[\w\-, ]{1,1000}$/.test(text);
}
