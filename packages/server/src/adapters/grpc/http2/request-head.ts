// Reads the head of a request: which fields HTTP/2 demands, and the few that a gRPC server looks at.
// Source: RFC 9113 sections 8.1 to 8.3.

import { FieldDecoder } from './field-decoder.js';
import { fieldBytes } from './field-table.js';
import { ExcessError } from './http2-error.js';
import type { Field } from './static-fields.js';

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** Empty when there is none, like the next. */
  readonly contentType: string;
  /** Encoding of compressed messages. */
  readonly messageEncoding: string;
  /** Set when the head breaks a rule of HTTP/2: what was found. Only its stream ends. */
  readonly malformed?: string;
}

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** Fields that speak of a connection of HTTP/1. */
const OF_CONNECTION = new Set(['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']);
const PSEUDO = new Set([':method', ':scheme', ':authority', ':path']);

/** Reads the heads of one connection. A head that is byte for byte the one before is not read again. */
export class RequestHeads {
  readonly #decoder = new FieldDecoder();
  readonly #listBytes: number;
  #last: { readonly block: Uint8Array; readonly head: RequestHead } | undefined;
  #changesSeen = 0;

  /** @param listBytes - size of a decoded list of fields that is taken, counted as RFC 9113 section 6.5.2 says */
  constructor(listBytes: number) {
    this.#listBytes = listBytes;
  }

  /** Reads a head. @throws Http2Error when it cannot be decoded, or is too large */
  read(block: Uint8Array): RequestHead {
    const last = this.#last;
    if (last !== undefined && isSame(last.block, block)) return last.head;
    const reading = new HeadReading();
    this.#decode(block, (field) => reading.take(field));
    const head = reading.head();
    const { tableChanges } = this.#decoder;
    // A block that changed the table would change it again.
    this.#last = tableChanges === this.#changesSeen ? { block: block.slice(), head } : undefined;
    this.#changesSeen = tableChanges;
    return head;
  }

  /** Decodes a block that nobody reads: trailers, and heads of streams that are refused. @throws as `read` */
  skip(block: Uint8Array): void {
    this.#decode(block, () => undefined);
    if (this.#decoder.tableChanges === this.#changesSeen) return;
    this.#changesSeen = this.#decoder.tableChanges;
    this.#last = undefined;
  }

  #decode(block: Uint8Array, take: (field: Field) => void): void {
    let bytes = 0;
    this.#decoder.decode(block, (field) => {
      bytes += fieldBytes(field);
      if (bytes > this.#listBytes)
        throw new ExcessError('headers-too-large', `Headers have more than the allowed ${this.#listBytes} bytes`);
      take(field);
    });
  }
}

class HeadReading {
  readonly #pseudo = new Map<string, string>();
  #contentType = '';
  #messageEncoding = '';
  #regular = false;
  #malformed: string | undefined;

  take({ name, value }: Field): void {
    if (name.startsWith(':')) this.#takePseudo(name, value);
    else {
      this.#regular = true;
      if (!NAME.test(name)) this.#malformed ??= `header name "${name}" is not allowed`;
      else if (OF_CONNECTION.has(name) || (name === 'te' && value !== 'trailers'))
        this.#malformed ??= `header "${name}" is none of HTTP/2`;
      else if (name === 'content-type') this.#contentType = value;
      else if (name === 'grpc-encoding') this.#messageEncoding = value;
    }
  }

  head(): RequestHead {
    for (const name of [':method', ':scheme', ':path'])
      if (!this.#pseudo.get(name)) this.#malformed ??= `"${name}" is missing`;
    return {
      method: this.#pseudo.get(':method') ?? '',
      path: this.#pseudo.get(':path') ?? '',
      contentType: this.#contentType,
      messageEncoding: this.#messageEncoding,
      ...(this.#malformed === undefined ? {} : { malformed: this.#malformed }),
    };
  }

  #takePseudo(name: string, value: string): void {
    if (!PSEUDO.has(name)) this.#malformed ??= `"${name}" is not known`;
    else if (this.#regular) this.#malformed ??= `"${name}" stands behind other headers`;
    else if (this.#pseudo.has(name)) this.#malformed ??= `"${name}" occurs twice`;
    else this.#pseudo.set(name, value);
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
