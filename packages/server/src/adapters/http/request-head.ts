// The part of HTTP/1.1 that the fast lane understands completely, read from raw bytes. What is not surely inside it is left to
// Node's parser, bytes included, so nothing here refuses a request.
// Source: RFC 9112 sections 3 and 5, RFC 9110 section 5. The table of what is left out is in docs/adr/0002-two-http-lanes.md.

import type { HandOverReason } from './http-counters.js';
import type { RouteMethod } from './route.js';

const HTAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const SLASH = 0x2f;
const ZERO = 0x30;
const COLON = 0x3a;

/** Larger bodies go to the other lane, which reads them as a stream. */
export const FAST_BODY_BYTES = 64 * 1024;

const METHODS: readonly RouteMethod[] = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];
const METHOD_BYTES = METHODS.map((method) => Buffer.from(`${method} `, 'latin1'));
const VERSION = Buffer.from(' HTTP/1.1\r\n', 'latin1');
const KEEP_ALIVE = Buffer.from('keep-alive', 'latin1');

/** 1 where a byte may stand in a header name (RFC 9110 `tchar`). */
const NAME_BYTES = byteTable((byte) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]$/.test(String.fromCharCode(byte)));
/** 1 where a byte may stand in a header value. */
const VALUE_BYTES = byteTable((byte) => byte === HTAB || (byte >= SPACE && byte !== 0x7f));
/** 1 where a byte may stand in a request target. */
const TARGET_BYTES = byteTable((byte) => byte > SPACE && byte < 0x7f && byte !== HASH);

/** What a header means to the lane; `plain` ones are only for handlers. */
type Meaning = 'plain' | 'host' | 'type' | 'length' | 'connection' | 'origin' | 'framing';

interface KnownHeader {
  readonly name: Buffer;
  readonly meaning: Meaning;
}

/** Headers with a meaning, by the length of their name. */
const KNOWN_HEADERS: readonly (readonly KnownHeader[] | undefined)[] = byLength({
  host: 'host',
  'content-length': 'length',
  'content-type': 'type',
  connection: 'connection',
  'proxy-connection': 'framing',
  origin: 'origin',
  'transfer-encoding': 'framing',
  upgrade: 'framing',
  expect: 'framing',
});

/** Outcome of reading a part of a head: complete, not yet complete, or for the other lane. */
export type HeadOutcome = 'complete' | 'incomplete' | HandOverReason;

/** One parsed head; reused from request to request, so what must last is copied out. */
export class RequestHead {
  /** Method of the request line. */
  method: RouteMethod = 'GET';
  /** Where the target begins. */
  targetStart = 0;
  /** Where the target ends. */
  targetEnd = 0;
  /** Where the first header begins. */
  headersStart = 0;
  /** Where the body begins, right after the empty line. */
  bodyStart = 0;
  /** Bytes of the body; 0 without one. */
  contentLength = 0;
  /** Where the digits of the `Content-Length` begin; -1 when there is none. */
  lengthStart = -1;
  /** Where they end. */
  lengthEnd = -1;
  /** Whether there is an `Origin`: the request comes from a browser page. */
  fromOrigin = false;
  /** Where the value of the only `Content-Type` begins, blanks included; -1 when there is none, -2 when there are several. */
  typeStart = -1;
  /** Where it ends. */
  typeEnd = -1;

  #hosts = 0;
  #lengths = 0;
  #connections = 0;

  /**
   * Reads the request line that begins at `start`.
   *
   * @param bytes - what was received
   * @param start - index of the first byte of the request
   */
  readRequestLine(bytes: Buffer, start: number): HeadOutcome {
    const method = methodAt(bytes, start);
    if (method < 0) return method === PARTIAL ? 'incomplete' : 'method';
    this.method = METHODS[method] as RouteMethod;
    let i = start + (METHOD_BYTES[method] as Buffer).length;
    this.targetStart = i;
    if (i < bytes.length && bytes[i] !== SLASH) return 'target';
    while (i < bytes.length && TARGET_BYTES[bytes[i] as number] === 1) i++;
    this.targetEnd = i;
    if (i >= bytes.length) return 'incomplete';
    if (bytes[i] !== SPACE) return 'target';
    const version = match(bytes, i, VERSION);
    if (version !== FULL) return version === PARTIAL ? 'incomplete' : 'version';
    this.headersStart = i + VERSION.length;
    return 'complete';
  }

  /** Reads the headers and the empty line behind them. @param start - index of the first header's first byte */
  readHeaders(bytes: Buffer, start: number): HeadOutcome {
    this.headersStart = start;
    this.contentLength = 0;
    this.lengthStart = -1;
    this.lengthEnd = -1;
    this.fromOrigin = false;
    this.typeStart = -1;
    this.#hosts = 0;
    this.#lengths = 0;
    this.#connections = 0;
    const end = bytes.length;
    let i = start;
    for (;;) {
      const nameStart = i;
      while (i < end && NAME_BYTES[bytes[i] as number] === 1) i++;
      if (i >= end) return 'incomplete';
      if (i === nameStart) return this.#readEmptyLine(bytes, i);
      if (bytes[i] !== COLON) return 'header';
      const nameEnd = i++;
      while (i < end && VALUE_BYTES[bytes[i] as number] === 1) i++;
      if (i >= end) return 'incomplete';
      if (bytes[i] !== CR) return 'header';
      if (i + 1 >= end) return 'incomplete';
      if (bytes[i + 1] !== LF) return 'header';
      const known = KNOWN_HEADERS[nameEnd - nameStart];
      if (known !== undefined) {
        const outcome = this.#interpret(bytes, meaningOf(bytes, known, nameStart), nameEnd, i);
        if (outcome !== 'complete') return outcome;
      }
      i += 2;
    }
  }

  #readEmptyLine(bytes: Buffer, at: number): HeadOutcome {
    if (bytes[at] !== CR) return 'header';
    if (at + 1 >= bytes.length) return 'incomplete';
    if (bytes[at + 1] !== LF) return 'header';
    if (this.#hosts !== 1) return 'host';
    this.bodyStart = at + 2;
    return 'complete';
  }

  #interpret(bytes: Buffer, meaning: Meaning, nameEnd: number, lineEnd: number): HeadOutcome {
    switch (meaning) {
      case 'plain':
        return 'complete';
      case 'host':
        this.#hosts++;
        return 'complete';
      case 'origin':
        this.fromOrigin = true;
        return 'complete';
      case 'type':
        this.typeStart = this.typeStart === -1 ? nameEnd + 1 : -2;
        this.typeEnd = lineEnd;
        return 'complete';
      case 'framing':
        return 'framing';
      case 'length':
        // Node is stricter about blanks behind a length than about those before it: only the plain form is taken here.
        return this.#readLength(bytes, valueStart(bytes, nameEnd, lineEnd), lineEnd);
      case 'connection': {
        const start = valueStart(bytes, nameEnd, lineEnd);
        const one = ++this.#connections === 1;
        return one && lineEnd - start === KEEP_ALIVE.length && isName(bytes, start, KEEP_ALIVE)
          ? 'complete'
          : 'connection-option';
      }
    }
  }

  #readLength(bytes: Buffer, start: number, end: number): HeadOutcome {
    if (++this.#lengths > 1) return 'framing';
    const length = plainLength(bytes, start, end);
    if (length === undefined) return 'framing';
    if (length > FAST_BODY_BYTES) return 'size';
    this.contentLength = length;
    this.lengthStart = start;
    this.lengthEnd = end;
    return 'complete';
  }
}

/** The number of a `Content-Length` of one to eight digits without zeros in front; undefined for everything else. */
export function plainLength(bytes: Buffer, start: number, end: number): number | undefined {
  const digits = end - start;
  if (digits < 1 || digits > 8) return undefined;
  if (digits > 1 && bytes[start] === ZERO) return undefined;
  let length = 0;
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] as number) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    length = length * 10 + digit;
  }
  return length;
}

/**
 * Finds a header among headers that {@link RequestHead} found complete.
 *
 * @param start - index of the first header's first byte
 * @param end - index behind the empty line
 * @param name - lower case
 * @returns all values joined with `, `, or undefined
 */
export function headerIn(bytes: Buffer, start: number, end: number, name: string): string | undefined {
  let found: string | undefined;
  for (let i = start; i < end - 2; ) {
    const nameEnd = indexOf(bytes, COLON, i);
    const lineEnd = indexOf(bytes, CR, nameEnd);
    if (nameEnd - i === name.length && bytes.toString('latin1', i, nameEnd).toLowerCase() === name) {
      const value = headerValue(bytes, nameEnd + 1, lineEnd);
      found = found === undefined ? value : `${found}, ${value}`;
    }
    i = lineEnd + 2;
  }
  return found;
}

/** Text of a header value without the blanks around it. */
export function headerValue(bytes: Buffer, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isBlank(bytes[from])) from++;
  while (to > from && isBlank(bytes[to - 1])) to--;
  return bytes.toString('latin1', from, to);
}

/** One header line. */
export interface HeaderLine {
  /** Lower case. */
  readonly name: string;
  /** Index behind the colon. */
  readonly valueStart: number;
  /** Index of the CR. */
  readonly valueEnd: number;
  /** Whether only handlers look at it: its value changes nothing for the lane. */
  readonly plain: boolean;
}

/** Finds the line around a position among complete headers; undefined when it is in the empty line. */
export function headerLineAt(bytes: Buffer, position: number): HeaderLine | undefined {
  for (let i = 0; bytes[i] !== CR; ) {
    const nameEnd = indexOf(bytes, COLON, i);
    const lineEnd = indexOf(bytes, CR, nameEnd);
    if (position < lineEnd + 2) {
      const known = KNOWN_HEADERS[nameEnd - i];
      const meaning = known === undefined ? 'plain' : meaningOf(bytes, known, i);
      const plain = meaning === 'plain' || meaning === 'type';
      return {
        name: bytes.toString('latin1', i, nameEnd).toLowerCase(),
        valueStart: nameEnd + 1,
        valueEnd: lineEnd,
        plain,
      };
    }
    i = lineEnd + 2;
  }
  return undefined;
}

/** Whether all bytes of a range may stand in a header value. */
export function isHeaderValue(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if (VALUE_BYTES[bytes[i] as number] !== 1) return false;
  }
  return true;
}

const FULL = 1;
const PARTIAL = -1;
const NONE = -2;

/** Index in METHODS, or PARTIAL, or NONE. */
function methodAt(bytes: Buffer, start: number): number {
  let partial = false;
  for (let m = 0; m < METHOD_BYTES.length; m++) {
    const result = match(bytes, start, METHOD_BYTES[m] as Buffer);
    if (result === FULL) return m;
    if (result === PARTIAL) partial = true;
  }
  return partial ? PARTIAL : NONE;
}

/** FULL when all of `wanted` is there, PARTIAL when the bytes end inside it, NONE otherwise. */
function match(bytes: Buffer, start: number, wanted: Buffer): number {
  for (let i = 0; i < wanted.length; i++) {
    if (start + i >= bytes.length) return PARTIAL;
    if (bytes[start + i] !== wanted[i]) return NONE;
  }
  return FULL;
}

function meaningOf(bytes: Buffer, known: readonly KnownHeader[], start: number): Meaning {
  for (const header of known) {
    if (isName(bytes, start, header.name)) return header.meaning;
  }
  return 'plain';
}

/** Compares letters and hyphens without case; the bytes must be allowed in a name or value, so no other byte looks like one. */
function isName(bytes: Buffer, start: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i++) {
    if (((bytes[start + i] as number) | 0x20) !== name[i]) return false;
  }
  return true;
}

/** Faster than the method for the short distances between one delimiter and the next. */
function indexOf(bytes: Buffer, byte: number, from: number): number {
  let i = from;
  while (bytes[i] !== byte) i++;
  return i;
}

function valueStart(bytes: Buffer, nameEnd: number, lineEnd: number): number {
  let i = nameEnd + 1;
  while (i < lineEnd && isBlank(bytes[i])) i++;
  return i;
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === HTAB;
}

function byteTable(allowed: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (allowed(byte) ? 1 : 0));
}

function byLength(meanings: Record<string, Meaning>): (KnownHeader[] | undefined)[] {
  const table: (KnownHeader[] | undefined)[] = [];
  for (const [name, meaning] of Object.entries(meanings)) {
    const list = table[name.length] ?? [];
    list.push({ name: Buffer.from(name, 'latin1'), meaning });
    table[name.length] = list;
  }
  return table;
}
