// Heads and trailers of answers, encoded once.
// Source: gRPC over HTTP/2 specification, "Responses".

import { fieldBlock } from './http2/field-block.js';

/** Statuses of gRPC that the transport itself gives. */
export const STATUS = {
  ok: '0',
  unknown: '2',
  deadlineExceeded: '4',
  resourceExhausted: '8',
  unimplemented: '12',
  internal: '13',
  unavailable: '14',
} as const;

/** One of the statuses. */
export type Status = (typeof STATUS)[keyof typeof STATUS];

const CONTENT = [
  { name: ':status', value: '200' },
  { name: 'content-type', value: 'application/grpc' },
];

/** Head of an answer with messages. */
export const ANSWER_HEAD = fieldBlock(CONTENT);

/** Trailers by status. */
export const TRAILERS = Object.fromEntries(
  Object.values(STATUS).map((status) => [status, fieldBlock([{ name: 'grpc-status', value: status }])]),
) as Readonly<Record<Status, Uint8Array>>;

/** An answer without messages: head and status in one. @param text - for people; what is not ASCII is escaped */
export function refusalBlock(status: Status, text: string): Uint8Array {
  const message = { name: 'grpc-message', value: escaped(text) };
  return fieldBlock([...CONTENT, { name: 'grpc-status', value: status }, message]);
}

/** An answer to what is no gRPC call. */
export function httpRefusalBlock(status: 405 | 415): Uint8Array {
  return fieldBlock([{ name: ':status', value: String(status) }]);
}

/** Everything but printable ASCII becomes `%` and its bytes. */
function escaped(text: string): string {
  let result = '';
  for (const byte of Buffer.from(text))
    result +=
      byte >= 0x20 && byte < 0x7f && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return result;
}
