// The datagram that tells a 1.x subscriber a new list: a JSON envelope with the list as text inside. It is made in two
// parts, since the list is the same for many subscribers and the number is not.
// Source: Nacos 1.4.8 PushService.prepareAckEntry; contract 14. Compression is the adapter's.

import { jsonText } from '../json-text.js';

/** Packets of this many bytes or more are sent compressed with gzip. */
export const PUSH_GZIP_FROM_BYTES = 1024;

/** Largest payload of a datagram over IPv4, in bytes: 65535 without the headers of IP and UDP. */
export const DATAGRAM_BYTES_MAX = 65_507;

/**
 * The part of the envelope that holds the list.
 *
 * @param data - JSON text of the list, see `instanceListJson`
 */
export function pushPacketHead(data: string): string {
  return `{"type":"dom","data":${jsonText(data)}`;
}

/**
 * The part behind it.
 *
 * @param number - what the acknowledgement repeats: below 2^53, so that JavaScript clients repeat it exactly
 */
export function pushPacketTail(number: number): string {
  return `,"lastRefTime":${number}}`;
}
