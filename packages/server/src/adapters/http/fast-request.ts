// A request that the fast lane read: a view of the received bytes, decoded only where a handler looks. A connection has one and
// fills it anew for each request, since requests of a connection are answered one after another.

import { isFormBody, type ParameterLimits, Parameters } from '@rollcall/protocol';
import type { HeaderBlock } from './header-block.js';
import type { HttpRequest, TargetMemo } from './http-request.js';
import { PeerConnection } from './peer-connection.js';
import type { ResolvedTarget } from './resolved-target.js';

const NO_BYTES = Buffer.alloc(0);

/** Knows what a request line leads to, or finds it when it is asked. */
export interface Resolvable {
  readonly resolved: ResolvedTarget;
}

/** {@link HttpRequest} of the fast lane. The connection writes it, handlers read it. */
export class FastRequest implements HttpRequest {
  readonly remoteAddress: string;
  readonly connection = new PeerConnection();
  readonly #limits: ParameterLimits;
  /** Holds the headers from {@link headersStart}. */
  bytes: Buffer = NO_BYTES;
  headers: HeaderBlock | undefined;
  headersStart = 0;
  /** Where the body is in {@link bytes}. */
  bodyStart = 0;
  bodyEnd = 0;
  memo: TargetMemo | undefined;
  /** Undefined before the first request. */
  #line: Resolvable | undefined;
  #resolved: ResolvedTarget | undefined;
  #parameters: Parameters | undefined;

  /** @param remoteAddress - of the connection @param limits - bounds for reading parameters */
  constructor(remoteAddress: string, limits: ParameterLimits) {
    this.remoteAddress = remoteAddress;
    this.#limits = limits;
  }

  /** Begins the next request, whose place was set before. @param line - its line @param memo - see `HttpRequest.memo` */
  begin(line: Resolvable, memo: TargetMemo | undefined): void {
    this.#line = line;
    this.#resolved = undefined;
    this.memo = memo;
    this.#parameters = undefined;
  }

  /** Lets go of the bytes when the request is answered: an idle connection should not hold them. */
  end(): void {
    this.bytes = NO_BYTES;
  }

  get method(): string {
    return this.#target.method;
  }

  get target(): string {
    return this.#target.target;
  }

  get path(): string {
    return pathOf(this.#target);
  }

  get body(): Uint8Array {
    return this.bytes.subarray(this.bodyStart, this.bodyEnd);
  }

  get parameters(): Parameters {
    if (this.bodyStart === this.bodyEnd) return this.#target.parameters;
    this.#parameters ??= parametersOf(this, this.#target, this.#limits);
    return this.#parameters;
  }

  header(name: string): string | undefined {
    return this.headers?.header(this.bytes, this.headersStart, name);
  }

  get #target(): ResolvedTarget {
    this.#resolved ??= this.#line?.resolved;
    if (this.#resolved === undefined) throw new Error('A request is read before it has begun');
    return this.#resolved;
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
