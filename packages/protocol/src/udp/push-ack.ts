// What a 1.x subscriber sends back. Clients differ in quoting, spacing and what else they put in, and a dump acknowledgement
// is not even JSON, so only the number is looked for. Source: Nacos PushReceiver (client) and PushService.Receiver; contract 7, 8.4.

import { DEFAULT_LIMITS, type Limits } from '../limits.js';

/** The number of an acknowledged push. */
export interface PushAck {
  /** Digits exactly as sent: other servers' numbers can be beyond 2^53. */
  readonly digits: string;
  /** The number when a double holds it exactly, which all of ours do. */
  readonly number: number | undefined;
}

const NUMBER = /"lastRefTime"\s*:\s*"?(\d{1,20})(?!\d)/;
const utf8 = new TextDecoder();

/**
 * Reads an acknowledgement. Never throws; looks at no more than `pushAckBytes` bytes of it.
 *
 * @param datagram - bytes as received
 * @returns undefined when there is no number in it
 */
export function parsePushAck(
  datagram: Uint8Array,
  limits: Pick<Limits, 'pushAckBytes'> = DEFAULT_LIMITS,
): PushAck | undefined {
  const text = utf8.decode(datagram.subarray(0, limits.pushAckBytes));
  const digits = NUMBER.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  return { digits, number: Number.isSafeInteger(number) ? number : undefined };
}
