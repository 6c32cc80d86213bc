// A request that the fast lane read: a view of the received bytes, decoded only where a handler looks.

import { isFormBody, type ParameterLimits, Parameters } from '@rollcall/protocol';
import type { HeaderBlock } from './header-block.js';
import type { HttpRequest, TargetMemo } from './http-request.js';
import type { ResolvedTarget } from './resolved-target.js';

/** What a request is made of. */
export interface FastRequestParts {
  readonly resolved: ResolvedTarget;
  readonly headers: HeaderBlock;
  /** Bytes that hold the headers from {@link headersStart}. */
  readonly bytes: Buffer;
  readonly headersStart: number;
  readonly body: Uint8Array;
  readonly remoteAddress: string;
  readonly limits: ParameterLimits;
  /** Undefined when the target is not kept. */
  readonly memo: TargetMemo | undefined;
}

/** {@link HttpRequest} of the fast lane. */
export class FastRequest implements HttpRequest {
  readonly remoteAddress: string;
  readonly body: Uint8Array;
  readonly memo: TargetMemo | undefined;
  readonly #resolved: ResolvedTarget;
  readonly #headers: HeaderBlock;
  readonly #bytes: Buffer;
  readonly #headersStart: number;
  readonly #limits: ParameterLimits;
  #parameters: Parameters | undefined;

  constructor(parts: FastRequestParts) {
    this.remoteAddress = parts.remoteAddress;
    this.body = parts.body;
    this.memo = parts.memo;
    this.#resolved = parts.resolved;
    this.#headers = parts.headers;
    this.#bytes = parts.bytes;
    this.#headersStart = parts.headersStart;
    this.#limits = parts.limits;
  }

  get method(): string {
    return this.#resolved.method;
  }

  get target(): string {
    return this.#resolved.target;
  }

  get path(): string {
    return pathOf(this.#resolved);
  }

  get parameters(): Parameters {
    this.#parameters ??= parametersOf(this, this.#resolved, this.#limits);
    return this.#parameters;
  }

  header(name: string): string | undefined {
    return this.#headers.header(this.#bytes, this.#headersStart, name);
  }
}

/** Path of a request in normal form, as sent when it has none. */
export function pathOf(resolved: ResolvedTarget): string {
  const { lookup, sentPath } = resolved;
  if (lookup.kind === 'known') return lookup.entry.path;
  return lookup.kind === 'unknown' ? lookup.path : sentPath;
}

/** Parameters of a request in either lane: those of the query, and those of a form body unless the method is GET or HEAD. */
export function parametersOf(
  request: Pick<HttpRequest, 'method' | 'body' | 'header'>,
  resolved: ResolvedTarget,
  limits: ParameterLimits,
): Parameters {
  if (request.body.length === 0 || request.method === 'GET' || request.method === 'HEAD') return resolved.parameters;
  if (!isFormBody(request.header('content-type'))) return resolved.parameters;
  return new Parameters(resolved.query, request.body, limits);
}
