// A request that the fast lane read: a view of the received bytes, decoded only where a handler looks.

import { isFormBody, type ParameterLimits, Parameters } from '@rollcall/protocol';
import type { HttpRequest, TargetMemo } from './http-request.js';
import { headerIn, type RequestHead } from './request-head.js';
import type { ResolvedTarget } from './resolved-target.js';

const NO_BODY = new Uint8Array(0);

/** What a request is made of. */
export interface FastRequestParts {
  /** Bytes that the head's positions refer to. */
  readonly bytes: Buffer;
  /** Positions in the bytes; copied, since heads are reused. */
  readonly head: RequestHead;
  readonly resolved: ResolvedTarget;
  readonly remoteAddress: string;
  readonly limits: ParameterLimits;
  /** Whether the target is kept, so that a memo outlives the request. */
  readonly kept: boolean;
}

/** {@link HttpRequest} of the fast lane. */
export class FastRequest implements HttpRequest {
  readonly method: string;
  readonly remoteAddress: string;
  readonly body: Uint8Array;
  readonly memo: TargetMemo | undefined;
  readonly #bytes: Buffer;
  readonly #headersStart: number;
  readonly #headersEnd: number;
  readonly #resolved: ResolvedTarget;
  readonly #limits: ParameterLimits;
  #parameters: Parameters | undefined;

  constructor(parts: FastRequestParts) {
    const { bytes, head, resolved } = parts;
    this.method = head.method;
    this.remoteAddress = parts.remoteAddress;
    this.#bytes = bytes;
    this.#headersStart = head.headersStart;
    this.#headersEnd = head.headersEnd;
    this.#resolved = resolved;
    this.#limits = parts.limits;
    if (head.contentLength === 0) {
      this.body = NO_BODY;
      this.memo = parts.kept ? resolved.memo : undefined;
      this.#parameters = resolved.parameters;
    } else {
      this.body = bytes.subarray(head.bodyStart, head.bodyStart + head.contentLength);
      this.memo = undefined;
    }
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
    return headerIn(this.#bytes, { start: this.#headersStart, end: this.#headersEnd }, name);
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
