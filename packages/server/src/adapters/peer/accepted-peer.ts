// A connection that another node has dialled. It carries messages from that node only: each node sends over the connection
// that it dialled, so no two nodes have to agree on which of two connections counts, and a way that is broken in one
// direction, or slow, is no matter of the other.

import type { Socket } from 'node:net';
import type { Instant } from '@rollcall/runtime';
import type { PeerMessage } from '../../core/replication/peer-message.js';
import { ArrivalBudget } from './arrival-budget.js';
import {
  type ControlMessage,
  controlPayload,
  type HelloMessage,
  PEER_PROTOCOL_VERSION,
  parsedFrame,
  readControl,
} from './control-message.js';
import { type HandshakeKeys, handshakeKeys, newNonce } from './handshake-keys.js';
import type { PeerContext } from './peer-context.js';
import { PeerFault } from './peer-fault.js';
import { readPeerMessage } from './peer-message-reader.js';
import { PeerStream } from './peer-stream.js';

/** What the transport is told. */
export interface AcceptedPeerEvents {
  /** Somebody says who it is, unproved. @returns why it is not wanted */
  judge(hello: HelloMessage): PeerFault | undefined;
  /** It has proved that it belongs to the cluster; it waits for {@link AcceptedPeer.welcome} or {@link AcceptedPeer.refuse}. */
  onProved(peer: AcceptedPeer): void;
  onMessage(peer: AcceptedPeer, message: PeerMessage): void;
  onEnd(peer: AcceptedPeer, fault: PeerFault | undefined): void;
}

/** One such connection. */
export class AcceptedPeer {
  readonly #context: PeerContext;
  readonly #events: AcceptedPeerEvents;
  readonly #stream: PeerStream;
  readonly #budget: ArrivalBudget;
  readonly #openedAt: Instant;
  #state: 'hello' | 'proof' | 'proved' | 'open' = 'hello';
  #hello: HelloMessage | undefined;
  #keys: HandshakeKeys | undefined;
  #lastFrameAt: Instant;
  #welcomedBytes = 0;
  #reportedBytes = 0;

  constructor(socket: Socket, context: PeerContext, events: AcceptedPeerEvents) {
    this.#context = context;
    this.#events = events;
    this.#openedAt = context.clock.now().mono;
    this.#lastFrameAt = this.#openedAt;
    this.#budget = new ArrivalBudget(context.bounds, this.#openedAt);
    this.#stream = new PeerStream(socket, {
      payloadBytesMax: context.bounds.handshakeBytes,
      counters: context.counters,
      events: {
        onPayload: (payload) => this.#onPayload(payload),
        onEnd: (fault) => events.onEnd(this, fault),
      },
    });
  }

  /** What it says it is; undefined before its hello. */
  get hello(): HelloMessage | undefined {
    return this.#hello;
  }

  /** Whether it is known and welcome. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** When its last frame came. */
  get lastFrameAt(): Instant {
    return this.#lastFrameAt;
  }

  /** Bytes that were read from it so far. */
  get receivedBytes(): number {
    return this.#stream.receivedBytes;
  }

  /** Address that it came from, without port. */
  get address(): string {
    return this.#stream.address;
  }

  /** Takes it in. */
  welcome(): void {
    this.#sendWelcome();
    this.#state = 'open';
    this.#stream.allow(this.#context.bounds.frameBytes);
    this.#welcomedBytes = this.#stream.receivedBytes;
    this.#lastFrameAt = this.#context.clock.now().mono;
  }

  /** Tells it why, and closes. Once it is proved the refusal is sealed, and can be believed. */
  refuse(fault: PeerFault): void {
    if (this.#state === 'proved') this.#sendWelcome();
    const found = fault.message.slice(0, 200);
    this.#send({ type: 'refused', reason: fault.reason, found });
    this.#stream.finish(fault);
  }

  /** Closes without a word. */
  close(fault?: PeerFault): void {
    this.#stream.close(fault);
  }

  /** To be called a few times per second: reports what has been read, and ends what takes too long. */
  look(now: Instant): void {
    const { bounds } = this.#context;
    if (this.#state === 'open') {
      if (now - this.#lastFrameAt > bounds.silentMs) this.close(new PeerFault('silent'));
      else this.#reportProgress();
    } else if (now - this.#openedAt > bounds.handshakeMs) this.close(new PeerFault('handshake-slow'));
  }

  #reportProgress(): void {
    const bytes = this.#stream.receivedBytes - this.#welcomedBytes;
    if (bytes === this.#reportedBytes) return;
    this.#reportedBytes = bytes;
    this.#send({ type: 'received', bytes });
  }

  #onPayload(payload: Buffer): void {
    const now = this.#context.clock.now().mono;
    this.#lastFrameAt = now;
    this.#budget.take(payload.length, now);
    switch (this.#state) {
      case 'hello':
        this.#onHello(payload);
        break;
      case 'proof':
        this.#onProof(readControl(payload, ['proof']).proof);
        break;
      case 'proved':
        throw new PeerFault('malformed', 'a frame before the welcome');
      case 'open':
        this.#onOpenFrame(payload);
        break;
    }
  }

  #onHello(payload: Buffer): void {
    let fault: PeerFault | undefined;
    try {
      this.#hello = readControl(payload, ['hello']);
      fault = this.#events.judge(this.#hello);
    } catch (error) {
      // Only a node of another version is told; whoever sends nonsense is not.
      if (!(error instanceof PeerFault) || error.reason !== 'wrong-version') throw error;
      fault = error;
    }
    if (fault !== undefined) {
      this.refuse(fault);
      return;
    }
    const { identity, secret } = this.#context;
    const challenge = controlPayload({
      type: 'challenge',
      version: PEER_PROTOCOL_VERSION,
      ...identity,
      nonce: newNonce(),
    });
    this.#keys = handshakeKeys(secret, payload, challenge);
    this.#state = 'proof';
    this.#stream.send(challenge);
  }

  #onProof(proof: string): void {
    if (this.#keys?.isProof('dialler', proof) !== true) {
      this.refuse(new PeerFault('wrong-secret', 'another secret'));
      return;
    }
    this.#state = 'proved';
    this.#events.onProved(this);
  }

  #onOpenFrame(payload: Buffer): void {
    this.#events.onMessage(this, readPeerMessage(parsedFrame(payload)));
  }

  #sendWelcome(): void {
    const keys = this.#keys as HandshakeKeys;
    this.#send({ type: 'welcome', proof: keys.proofOf('accepter') });
    this.#stream.sendSeal = keys.sealOf('accepter');
    this.#stream.receiveSeal = keys.sealOf('dialler');
  }

  #send(message: ControlMessage): void {
    this.#stream.send(controlPayload(message));
  }
}
