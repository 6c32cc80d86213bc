// What nodes say to each other besides messages of the core: who they are, and how far they have read.
// A dialler says hello, the accepter answers with a challenge, the dialler proves itself, the accepter welcomes it with a
// proof of its own. Who accepts reveals nothing of the secret before the dialler has proved that it knows it.

import { integerShape, objectShape, type Shape, textShape, wordShape } from './json-shape.js';
import { PEER_FAULT_REASONS, PeerFault, type PeerFaultReason } from './peer-fault.js';

/** Version of the protocol between nodes. Nodes of different versions refuse each other. */
export const PEER_PROTOCOL_VERSION = 1;

/** Who a node says it is. */
export interface PeerIdentity {
  readonly cluster: string;
  /** `ip:port` from the list of members. */
  readonly node: string;
  /** One per process. */
  readonly runId: string;
  /** Version of its program; only shown. */
  readonly program: string;
  /** Epoch ms. Of two processes with one address the one that started later stops. */
  readonly startedAt: number;
}

/** First frame of the dialler. */
export interface HelloMessage extends PeerIdentity {
  readonly type: 'hello';
  readonly version: number;
  /** Node that it wants to reach. */
  readonly to: string;
  readonly nonce: string;
  readonly proves: 'secret' | 'nothing';
}

/** First frame of the accepter. */
export interface ChallengeMessage extends PeerIdentity {
  readonly type: 'challenge';
  readonly version: number;
  readonly nonce: string;
}

/** Any control message. */
export type ControlMessage =
  | HelloMessage
  | ChallengeMessage
  | { readonly type: 'proof'; readonly proof: string }
  | { readonly type: 'welcome'; readonly proof: string }
  /** The accepter closes after it. */
  | { readonly type: 'refused'; readonly reason: PeerFaultReason; readonly found: string }
  /** The accepter has read so many bytes of frames since the welcome. */
  | { readonly type: 'received'; readonly bytes: number };

/** Encodes a control message. */
export function controlPayload(message: ControlMessage): Buffer {
  return Buffer.from(JSON.stringify(message));
}

/** Parses the JSON of a frame. @throws PeerFault `malformed` when it is no object with a type */
export function parsedFrame(payload: Buffer): Readonly<Record<string, unknown>> & { readonly type: string } {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch {
    throw new PeerFault('malformed', 'a frame that is no JSON');
  }
  if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string') {
    return value as Readonly<Record<string, unknown>> & { readonly type: string };
  }
  throw new PeerFault('malformed', 'a frame that is no object with a type');
}

/**
 * A frame as the control message that is expected now.
 *
 * @throws PeerFault `malformed` for any other, and for members of the wrong type
 */
export function readControl<T extends ControlMessage['type']>(
  payload: Buffer,
  types: readonly T[],
): Extract<ControlMessage, { readonly type: T }> {
  const value = parsedFrame(payload);
  const type = types.find((each) => each === value.type);
  if (type !== undefined) return SHAPES[type](value, type);
  const found = JSON.stringify(value.type.slice(0, 80));
  throw new PeerFault('malformed', `found ${found}, allowed now is ${types.map((each) => `"${each}"`).join(' or ')}`);
}

const text = textShape(256);
const count = integerShape(0);
const identity = { version: protocolVersion, cluster: text, node: text, runId: text, program: text, startedAt: count };

const SHAPES: { readonly [T in ControlMessage['type']]: Shape<Extract<ControlMessage, { readonly type: T }>> } = {
  hello: objectShape({
    type: wordShape('hello'),
    ...identity,
    to: text,
    nonce: text,
    proves: wordShape('secret', 'nothing'),
  }),
  challenge: objectShape({ type: wordShape('challenge'), ...identity, nonce: text }),
  proof: objectShape({ type: wordShape('proof'), proof: text }),
  welcome: objectShape({ type: wordShape('welcome'), proof: text }),
  refused: objectShape({ type: wordShape('refused'), reason: wordShape(...PEER_FAULT_REASONS), found: text }),
  received: objectShape({ type: wordShape('received'), bytes: count }),
};

// The first member that is read: another version may look quite different after it.
function protocolVersion(value: unknown, place: string): number {
  const version = count(value, place);
  if (version === PEER_PROTOCOL_VERSION) return version;
  throw new PeerFault('wrong-version', `found version ${version}, allowed is ${PEER_PROTOCOL_VERSION}`);
}
