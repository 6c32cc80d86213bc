// The datagram that tells a 1.x subscriber a new list: a JSON envelope with the list as text inside.
// Source: Nacos 1.4.8 PushService.prepareAckEntry; contract 14. Compression from 1024 bytes on is the adapter's.

import { jsonText } from '../json-text.js';

/** Packets of this many bytes or more are sent compressed with gzip. */
export const PUSH_GZIP_FROM_BYTES = 1024;

/**
 * Builds the envelope around a list answer.
 *
 * @param data - JSON text of the list, see `instanceListJson`
 * @param number - what the acknowledgement repeats: below 2^53, so that JavaScript clients repeat it exactly
 */
export function pushPacketText(data: string, number: number): string {
  return `{"type":"dom","data":${jsonText(data)},"lastRefTime":${number}}`;
}
