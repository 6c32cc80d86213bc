// A pushed list as a datagram, and the acknowledgement that answers it. The number of a push is a nanosecond clock that can
// be above 2^53, so its digits are taken from the text and repeated as they are.
// Source: Nacos 1.4.8 PushReceiver; contract client-1x 7.

import { gunzipSync } from 'node:zlib';

/** What a datagram holds. */
export type PushDatagram =
  /** A list, as JSON text. */
  | { readonly type: 'list'; readonly data: string; readonly number: string }
  /** Something a server asks for that is not answered with content: `dump` and whatever may come. */
  | { readonly type: 'other'; readonly kind: string; readonly number: string };

/** Unpacked bytes that one datagram may have. */
const PUSH_BYTES_MAX = 16 * 1024 * 1024;

const NUMBER = /"lastRefTime"\s*:\s*"?(\d{1,20})"?\s*\}?\s*$/;
const NUMBER_ANYWHERE = /"lastRefTime"\s*:\s*"?(\d{1,20})(?!\d)/g;

/**
 * Reads a datagram.
 *
 * @returns undefined when it is no push: another protocol, broken compression, JSON without a type or number
 */
export function readPushDatagram(datagram: Buffer): PushDatagram | undefined {
  try {
    const text = textOf(datagram);
    const packet: unknown = JSON.parse(text);
    if (typeof packet !== 'object' || packet === null) return undefined;
    const { type, data } = packet as { type?: unknown; data?: unknown };
    const number = numberIn(text);
    if (typeof type !== 'string' || number === undefined) return undefined;
    const isList = (type === 'dom' || type === 'service') && typeof data === 'string';
    return isList ? { type: 'list', data, number } : { type: 'other', kind: type, number };
  } catch {
    return undefined; // Anybody can send to an open port; what cannot be read is not for us.
  }
}

/** The acknowledgement, byte for byte as the Java client writes it. */
export function pushAckText(push: PushDatagram): string {
  const type = push.type === 'list' ? 'push-ack' : 'unknown-ack';
  return `{"type": "${type}", "lastRefTime":"${push.number}", "data":""}`;
}

function textOf(datagram: Buffer): string {
  const isGzip = datagram[0] === 0x1f && datagram[1] === 0x8b;
  const bytes = isGzip ? gunzipSync(datagram, { maxOutputLength: PUSH_BYTES_MAX }) : datagram;
  return bytes.toString('utf8').replace(/\0+$/, '');
}

/** The number at the end, where servers put it; else the last one in the text. The list inside `data` has its quotes escaped. */
function numberIn(text: string): string | undefined {
  return NUMBER.exec(text.slice(-80))?.[1] ?? [...text.matchAll(NUMBER_ANYWHERE)].at(-1)?.[1];
}
