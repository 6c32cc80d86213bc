// The one message of the gRPC protocol: a type name, headers, and a JSON body. Read and written by hand because the
// contract is two tiny messages and a push must be encoded once for thousands of receivers. See proto/.
// Source: Nacos nacos_grpc_service.proto as described in the contract, section 2.

import { FRAME_HEAD_BYTES, frameMessage, writeFrameHead } from './message-frame.js';
import { ProtobufReader } from './protobuf-reader.js';

/** A message as it came in. */
export interface Payload {
  /** Simple class name, for example `InstanceRequest`; empty when the sender gave none. */
  readonly type: string;
  /** Headers with lower-case names; the last of equal names wins. */
  readonly headers: ReadonlyMap<string, string>;
  /** The sender's own view of its address; empty when it gave none. */
  readonly clientIp: string;
  /** JSON text in UTF-8; undefined when there is no body. A view into the received bytes. */
  readonly body: Uint8Array | undefined;
}

/** Headers of one payload that are read; more are ignored. */
const HEADERS_MAX = 64;

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const NO_HEADERS: ReadonlyMap<string, string> = new Map();

/**
 * Reads a payload.
 *
 * @throws RegistryError `malformed-request` when the bytes are no such message
 */
export function decodePayload(bytes: Uint8Array): Payload {
  let type = '';
  let headers = NO_HEADERS;
  let clientIp = '';
  let body: Uint8Array | undefined;
  const reader = new ProtobufReader(bytes);
  for (let field = reader.next(); field !== undefined; field = reader.next()) {
    if (field.field === 3) body = anyValue(bytes, field.start, field.end) ?? body ?? new Uint8Array(0);
    else if (field.field === 2) ({ type, headers, clientIp } = metadataOf(bytes, field.start, field.end));
  }
  return { type, headers, clientIp, body };
}

/** What a client writes into a payload besides type and body. */
export interface PayloadSender {
  /** Names and values; default none. */
  readonly headers?: Iterable<readonly [string, string]> | undefined;
  /** The sender's own address; default none. */
  readonly clientIp?: string | undefined;
}

/**
 * Writes a payload without a sender in gRPC's frame, in one piece: what a server says, mostly small and very often.
 *
 * @param json - the body
 */
export function framedPayload(type: string, json: string): Uint8Array {
  const metadata = metadataOfType(type);
  const bodyHead = bodyHeadOf(json.length);
  const start = FRAME_HEAD_BYTES + metadata.length + bodyHead.length;
  const bytes = new Uint8Array(start + json.length);
  const { read, written } = encoder.encodeInto(json, bytes.subarray(start));
  // Nearly all bodies are ASCII, of which the length is known before they are encoded.
  if (read !== json.length || written !== json.length) return frameMessage(encodePayload(type, json));
  writeFrameHead(bytes);
  bytes.set(metadata, FRAME_HEAD_BYTES);
  bytes.set(bodyHead, start - bodyHead.length);
  return bytes;
}

/** Metadata of payloads without a sender, by type: the same few for each of a server's answers and pushes. */
const keptMetadata = new Map<string, Uint8Array>();
/** Types that are kept; a program writes some dozens. */
const KEPT_TYPES_MAX = 64;

/** Writes a payload. @param json - the body; bytes when it is shared by many payloads @param sender - default neither headers nor address */
export function encodePayload(type: string, json: string | Uint8Array, sender?: PayloadSender): Uint8Array {
  const metadata = sender === undefined ? metadataOfType(type) : metadataField(type, sender);
  const body = typeof json === 'string' ? encoder.encode(json) : json;
  // The body is copied once only: a push of 10,000 instances has megabytes.
  return concatenated([metadata, bodyHeadOf(body.length), body]);
}

/** What stands in front of a body: it is the only member of a field of its own. */
function bodyHeadOf(bytes: number): Uint8Array {
  const any = fieldHead(2, bytes);
  const head = fieldHead(3, any.length + bytes);
  return concatenated([head, any]);
}

function metadataOfType(type: string): Uint8Array {
  const kept = keptMetadata.get(type);
  if (kept !== undefined) return kept;
  const metadata = metadataField(type, {});
  if (keptMetadata.size < KEPT_TYPES_MAX) keptMetadata.set(type, metadata);
  return metadata;
}

function metadataField(type: string, { headers = [], clientIp }: PayloadSender): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [name, value] of headers) parts.push(field(HEADERS, [textField(1, name), textField(2, value)]));
  if (clientIp) parts.push(textField(CLIENT_IP, clientIp));
  return field(2, [textField(TYPE, type), ...parts]);
}

const TYPE = 3;
const HEADERS = 7;
const CLIENT_IP = 8;

/** One length-delimited field. @param number - 1 to 15 */
function field(number: number, content: readonly Uint8Array[]): Uint8Array {
  const length = content.reduce((total, part) => total + part.length, 0);
  return concatenated([fieldHead(number, length), ...content]);
}

function fieldHead(number: number, length: number): Uint8Array {
  const head = (number << 3) | 2;
  return length > 0x7f ? Uint8Array.from([head, ...varint(length)]) : Uint8Array.of(head, length);
}

function textField(number: number, text: string): Uint8Array {
  return field(number, [encoder.encode(text)]);
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function metadataOf(bytes: Uint8Array, start: number, end: number): Pick<Payload, 'type' | 'headers' | 'clientIp'> {
  let type = '';
  let clientIp = '';
  let headers: Map<string, string> | undefined;
  const reader = new ProtobufReader(bytes, start, end);
  for (let field = reader.next(); field !== undefined; field = reader.next()) {
    if (field.field === 3) type = textOf(bytes, field.start, field.end);
    else if (field.field === 8) clientIp = textOf(bytes, field.start, field.end);
    else if (field.field === 7) {
      headers ??= new Map();
      if (headers.size < HEADERS_MAX) addHeader(headers, bytes, field);
    }
  }
  return { type, headers: headers ?? NO_HEADERS, clientIp };
}

function addHeader(headers: Map<string, string>, bytes: Uint8Array, entry: { start: number; end: number }): void {
  let key = '';
  let value = '';
  const reader = new ProtobufReader(bytes, entry.start, entry.end);
  for (let field = reader.next(); field !== undefined; field = reader.next()) {
    if (field.field === 1) key = textOf(bytes, field.start, field.end).toLowerCase();
    else if (field.field === 2) value = textOf(bytes, field.start, field.end);
  }
  headers.set(key, value);
}

function anyValue(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  let value: Uint8Array | undefined;
  const reader = new ProtobufReader(bytes, start, end);
  for (let field = reader.next(); field !== undefined; field = reader.next())
    if (field.field === 2) value = bytes.subarray(field.start, field.end);
  return value;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}
