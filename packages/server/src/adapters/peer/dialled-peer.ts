// The way to one other node: dials it, proves who this node is, sends messages, and dials again when the connection is lost
// or gets nowhere. Nothing is kept while there is no connection: the core sends anew what was not acknowledged.
// While nothing answers, further tries begin beside those under way, and the first that is answered counts (the idea of
// RFC 8305): after a cut that loses packets the next try decides when nodes meet again, and on a slow way each has its time.

import type { Socket } from 'node:net';
import type { TimerHandle } from '@rollcall/runtime';
import type { PeerMessage } from '../../core/replication/peer-message.js';
import { isRejection, type Rejection } from '../../core/replication/rejection.js';
import {
  type ChallengeMessage,
  type ControlMessage,
  controlPayload,
  PEER_PROTOCOL_VERSION,
  readControl,
} from './control-message.js';
import { type HandshakeKeys, handshakeKeys, newNonce } from './handshake-keys.js';
import type { PeerContext } from './peer-context.js';
import { PeerFault, type PeerFaultReason } from './peer-fault.js';
import { PeerStream } from './peer-stream.js';
import { dialFault, distrustOf } from './tls-trust.js';

/** What the transport is told. */
export interface DialledPeerEvents {
  /** Messages can be sent from now on. */
  onOpen(): void;
  /** No longer. */
  onLost(): void;
  /** The port of the node is closed: its process is not there. */
  onRefused(): void;
  /** The node is there, but it and this one refuse each other; told again with each try. */
  onRejected(reason: Rejection): void;
  /** The peer says, sealed, that this process must not be: another one with its address is alive. */
  onAddressTaken(found: string): void;
}

/** Opens a socket to a node. Emits `connect` (or `secureConnect`), `error` and `close` as usual. */
export type PeerDial = (node: string) => { readonly socket: Socket; readonly ready: 'connect' | 'secureConnect' };

/** Looks in a row without progress after which a connection gets nowhere. Looks are counted, not time: they stand still with the process. */
const LOOK_MS = 250;
/** What does not pass by itself, so that there is no hurry to dial again. */
function isLasting(reason: PeerFaultReason): boolean {
  return isRejection(reason) || reason === 'address-taken' || reason === 'overfull';
}

/** One such way. */
export class DialledPeer {
  readonly node: string;
  readonly #context: PeerContext;
  readonly #dial: PeerDial;
  readonly #events: DialledPeerEvents;
  #state: 'waiting' | 'connecting' | 'challenge' | 'welcome' | 'open' | 'ended' = 'waiting';
  /** Tries that are not answered, oldest first. */
  readonly #tries = new Set<Socket>();
  #stream: PeerStream | undefined;
  #hello: Buffer | undefined;
  #keys: HandshakeKeys | undefined;
  #timer: TimerHandle | undefined;
  #retryMs: number;
  #refusal: PeerFaultReason | undefined;
  #isCounted = false;
  #program: string | undefined;
  #rejection: Rejection | undefined;
  #sentBeforeOpen = 0;
  #readBytes = 0;
  #looksWithoutProgress = 0;

  constructor(node: string, context: PeerContext, dial: PeerDial, events: DialledPeerEvents) {
    this.node = node;
    this.#context = context;
    this.#dial = dial;
    this.#events = events;
    this.#retryMs = context.bounds.retryMs.first;
  }

  /** Whether messages can be sent. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Bytes that wait because the peer has not read yet. */
  get queuedBytes(): number {
    return this.#stream?.queuedBytes ?? 0;
  }

  /** Version of the peer's program, by the last connection; undefined before the first. */
  get program(): string | undefined {
    return this.#program;
  }

  /** Why the two refused each other when last one of them answered; undefined when they did not. */
  get rejection(): Rejection | undefined {
    return this.#rejection;
  }

  /** Begins to dial. */
  start(): void {
    this.#connect();
  }

  /** Sends a message, or drops it when there is no connection. A peer that lets too much wait loses its connection. */
  send(message: PeerMessage): void {
    const { bounds, counters } = this.#context;
    const stream = this.#stream;
    if (this.#state !== 'open' || stream === undefined) {
      counters.unsentMessages += 1;
      return;
    }
    const payload = Buffer.from(JSON.stringify(message));
    if (stream.queuedBytes + payload.length > bounds.queueBytes) {
      stream.close(new PeerFault('overfull', `${stream.queuedBytes} bytes wait, allowed are ${bounds.queueBytes}`));
    } else stream.send(payload);
  }

  /** Ends it for good, after what was sent before. */
  end(): void {
    this.#state = 'ended';
    this.#timer?.cancel();
    this.#stream?.finish(undefined);
    this.#giveUpTries();
  }

  /** Dials now instead of later: the peer has just shown that it is there. */
  hurry(): void {
    if (this.#state !== 'waiting' && this.#state !== 'connecting') return;
    this.#retryMs = this.#context.bounds.retryMs.first;
    this.#timer?.cancel();
    this.#connect();
  }

  /** To be called every 250 ms: ends a connection on which nothing moves. */
  look(): void {
    const stream = this.#stream;
    if (this.#state !== 'open' || stream === undefined) return;
    if (stream.sentBytes - this.#sentBeforeOpen <= this.#readBytes) this.#looksWithoutProgress = 0;
    else this.#looksWithoutProgress += 1;
    if (this.#looksWithoutProgress * LOOK_MS > this.#context.bounds.stalledMs) stream.close(new PeerFault('stalled'));
  }

  #connect(): void {
    const { bounds, timers } = this.#context;
    this.#state = 'connecting';
    this.#refusal = undefined;
    const [oldest] = this.#tries;
    if (this.#tries.size >= bounds.dials) this.#giveUp(oldest as Socket);
    this.#try();
    this.#timer = timers.once(bounds.redialMs, () => this.#connect());
  }

  #try(): void {
    this.#context.counters.dials += 1;
    const { socket, ready } = this.#dial(this.node);
    this.#tries.add(socket);
    // What becomes of a try that was given up, or is a stream by now, is no matter of these.
    socket.on('error', (error) => {
      if (this.#tries.has(socket)) this.#onDialError(error);
    });
    socket.once('close', () => {
      if (this.#tries.has(socket)) this.#retry();
    });
    socket.once(ready, () => {
      if (!this.#tries.delete(socket)) return;
      this.#giveUpTries();
      this.#timer?.cancel();
      this.#greet(socket);
    });
  }

  /** The oldest try has had its time. */
  #giveUp(socket: Socket): void {
    this.#context.notices.warn('peer-unreachable', this.node, { reason: 'ETIMEDOUT' });
    this.#rejection = undefined;
    this.#tries.delete(socket);
    socket.destroy();
  }

  #giveUpTries(): void {
    const tries = [...this.#tries];
    this.#tries.clear();
    for (const socket of tries) socket.destroy();
  }

  #onDialError(error: NodeJS.ErrnoException): void {
    const fault = dialFault(error);
    if (fault !== undefined) {
      this.#refusal = fault.reason;
      this.#report(fault);
      this.#noteRejection(fault);
      return;
    }
    const reason = error.code ?? error.message;
    this.#context.notices.warn('peer-unreachable', this.node, { reason });
    this.#rejection = undefined;
    if (reason === 'ECONNREFUSED') this.#events.onRefused();
  }

  #greet(socket: Socket): void {
    const { identity, secret, bounds, counters, timers } = this.#context;
    const stream = new PeerStream(socket, {
      payloadBytesMax: bounds.handshakeBytes,
      counters,
      events: { onPayload: (payload) => this.#onPayload(payload), onEnd: (fault) => this.#onEnd(fault) },
    });
    this.#stream = stream;
    this.#state = 'challenge';
    const distrust = distrustOf(socket);
    if (distrust !== undefined) {
      stream.close(distrust);
      return;
    }
    this.#timer = timers.once(bounds.handshakeMs, () => stream.close(new PeerFault('handshake-slow')));
    this.#hello = controlPayload({
      type: 'hello',
      version: PEER_PROTOCOL_VERSION,
      ...identity,
      to: this.node,
      nonce: newNonce(),
      proves: secret === undefined ? 'nothing' : 'secret',
    });
    stream.send(this.#hello);
  }

  #onPayload(payload: Buffer): void {
    if (this.#state === 'challenge') {
      const message = readControl(payload, ['challenge', 'refused']);
      if (message.type === 'refused') this.#onRefusal(message);
      else this.#onChallenge(payload, message);
    } else if (this.#state === 'welcome') {
      const message = readControl(payload, ['welcome', 'refused']);
      if (message.type === 'refused') this.#onRefusal(message);
      else this.#onWelcome(message.proof);
    } else {
      const message = readControl(payload, ['received', 'refused']);
      if (message.type === 'refused') this.#onRefusal(message);
      else this.#onReceived(message.bytes);
    }
  }

  #onChallenge(payload: Buffer, message: ChallengeMessage): void {
    this.#checkChallenge(message);
    this.#program = message.program;
    const keys = handshakeKeys(this.#context.secret, this.#hello as Buffer, payload);
    this.#keys = keys;
    this.#send({ type: 'proof', proof: keys.proofOf('dialler') });
    this.#state = 'welcome';
  }

  #checkChallenge({ node, cluster }: ChallengeMessage): void {
    const own = this.#context.identity.cluster;
    if (cluster !== own) throw new PeerFault('other-cluster', `found "${cluster}", allowed is "${own}"`);
    if (node !== this.node) throw new PeerFault('wrong-node', `found "${node}", allowed is "${this.node}"`);
  }

  #onWelcome(proof: string): void {
    const keys = this.#keys as HandshakeKeys;
    const stream = this.#stream as PeerStream;
    if (!keys.isProof('accepter', proof)) throw new PeerFault('wrong-secret', 'another secret');
    stream.sendSeal = keys.sealOf('dialler');
    stream.receiveSeal = keys.sealOf('accepter');
    this.#timer?.cancel();
    this.#state = 'open';
    this.#sentBeforeOpen = stream.sentBytes;
    this.#readBytes = 0;
    this.#looksWithoutProgress = 0;
    this.#retryMs = this.#context.bounds.retryMs.first;
    this.#rejection = undefined;
    this.#isCounted = true;
    this.#context.counters.openDialled += 1;
    this.#context.notices.info('peer-connected', this.node, { address: stream.address });
    this.#events.onOpen();
  }

  #onReceived(bytes: number): void {
    this.#readBytes = bytes;
    this.#looksWithoutProgress = 0;
  }

  // Only a sealed refusal can make this process stop: anybody on the way could send another.
  #onRefusal({ reason, found }: { readonly reason: PeerFaultReason; readonly found: string }): void {
    this.#refusal = reason;
    this.#context.notices.warn('peer-refuses-us', this.node, { reason, message: found });
    if (this.#state === 'open' && reason === 'address-taken') this.#events.onAddressTaken(found);
    this.#stream?.close(undefined);
  }

  #onEnd(fault: PeerFault | undefined): void {
    const { counters, notices } = this.#context;
    this.#timer?.cancel();
    this.#stream = undefined;
    if (fault !== undefined) this.#report(fault);
    if (this.#isCounted) counters.openDialled -= 1;
    this.#isCounted = false;
    if (this.#state === 'open') {
      notices.info('peer-lost', this.node);
      this.#state = 'waiting';
      this.#events.onLost();
    }
    this.#noteRejection(fault);
    this.#retry(fault);
  }

  #report({ reason, message }: PeerFault): void {
    this.#context.counters.faults[reason] += 1;
    this.#context.notices.warn('peer-cut-off', this.node, { reason, message, direction: 'out' });
  }

  #noteRejection(fault: PeerFault | undefined): void {
    const reason = this.#refusal ?? fault?.reason;
    if (this.#state === 'ended' || reason === undefined || !isRejection(reason)) return;
    this.#rejection = reason;
    this.#events.onRejected(reason);
  }

  #retry(fault?: PeerFault): void {
    if (this.#state === 'ended') return;
    const { bounds, timers } = this.#context;
    this.#giveUpTries();
    this.#timer?.cancel();
    this.#state = 'waiting';
    const reason = this.#refusal ?? fault?.reason;
    const waitMs = reason !== undefined && isLasting(reason) ? bounds.refusedRetryMs : this.#retryMs;
    this.#retryMs = Math.min(this.#retryMs * 2, bounds.retryMs.last);
    this.#timer = timers.once(waitMs, () => this.#connect());
  }

  #send(message: ControlMessage): void {
    this.#stream?.send(controlPayload(message));
  }
}
