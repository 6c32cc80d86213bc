// A request that Node's parser read.

import type { IncomingMessage } from 'node:http';
import type { ParameterLimits, Parameters } from '@rollcall/protocol';
import { parametersOf, pathOf } from './fast-request.js';
import type { HttpRequest } from './http-request.js';
import type { ResolvedTarget } from './resolved-target.js';

/** What a request is made of. */
export interface NodeRequestParts {
  readonly message: IncomingMessage;
  readonly resolved: ResolvedTarget;
  readonly body: Uint8Array;
  readonly remoteAddress: string;
  readonly limits: ParameterLimits;
}

/** {@link HttpRequest} of the Node lane. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly body: Uint8Array;
  readonly remoteAddress: string;
  /** Nothing is kept here: what repeats is answered by the fast lane. */
  readonly memo = undefined;
  readonly #parts: NodeRequestParts;
  #parameters: Parameters | undefined;

  constructor(parts: NodeRequestParts) {
    this.#parts = parts;
    this.method = parts.message.method ?? '';
    this.target = parts.resolved.target;
    this.path = pathOf(parts.resolved);
    this.body = parts.body;
    this.remoteAddress = parts.remoteAddress;
  }

  get parameters(): Parameters {
    this.#parameters ??= parametersOf(this, this.#parts.resolved, this.#parts.limits);
    return this.#parameters;
  }

  header(name: string): string | undefined {
    const values = rawHeaderValues(this.#parts.message, name);
    return values.length === 0 ? undefined : values.join(', ');
  }
}

/** All values of a header in the order of their lines. Node's own `headers` drops some repeated ones. @param name - lower case */
export function rawHeaderValues(message: IncomingMessage, name: string): string[] {
  const { rawHeaders } = message;
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] as string);
  }
  return values;
}
