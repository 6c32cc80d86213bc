// One connection between two nodes as a stream of sealed frames, from either side. Whatever goes wrong in it ends it.

import type { Socket } from 'node:net';
import { foreignProtocol, VERSION_ALERT } from './foreign-protocol.js';
import { FrameReader, frameOf } from './frame-reader.js';
import { type FrameSeal, NO_SEAL, SEAL_BYTES } from './frame-seal.js';
import type { PeerCounters } from './peer-counters.js';
import { PeerFault } from './peer-fault.js';

/** What happens on a stream. */
export interface PeerStreamEvents {
  /** A frame came. May throw a PeerFault, which ends the stream. */
  onPayload(payload: Buffer): void;
  /** It is over; comes once. @param fault - undefined when one of the sides closed it in order or the network did */
  onEnd(fault: PeerFault | undefined): void;
}

/** Frames over a socket that is connected. */
export class PeerStream {
  /** Seal of what is sent. */
  sendSeal: FrameSeal = NO_SEAL;
  /** Seal of what comes. */
  receiveSeal: FrameSeal = NO_SEAL;
  /** Address of the other side, without port; empty when it was gone before. A closed socket knows it no more. */
  readonly address: string;
  /** Bytes of frames that have come. */
  receivedBytes = 0;
  /** Bytes of frames that were handed over to be sent. */
  sentBytes = 0;
  readonly #socket: Socket;
  readonly #reader: FrameReader;
  readonly #events: PeerStreamEvents;
  readonly #counters: PeerCounters;
  #isOver = false;
  /** Whether no frame has come yet. */
  #isFirst = true;

  constructor(
    socket: Socket,
    options: { readonly payloadBytesMax: number; readonly events: PeerStreamEvents; readonly counters: PeerCounters },
  ) {
    this.#socket = socket;
    this.address = socket.remoteAddress ?? '';
    this.#reader = new FrameReader(options.payloadBytesMax);
    this.#events = options.events;
    this.#counters = options.counters;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    const onOver = () => this.close(this.#reader.isInsideFrame ? new PeerFault('truncated') : undefined);
    socket.on('end', onOver);
    // `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', onOver);
  }

  /** Bytes that wait because the other side has not read yet. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Both sides are known: longer frames are taken. @param payloadBytesMax - without the seal */
  allow(payloadBytesMax: number): void {
    this.#reader.payloadBytesMax = payloadBytesMax + SEAL_BYTES;
  }

  /** Sends a frame. Does nothing when the stream is over. */
  send(payload: Buffer): void {
    if (this.#isOver) return;
    const frame = frameOf(this.sendSeal.seal(payload));
    this.sentBytes += frame.length;
    this.#counters.sentFrames += 1;
    this.#counters.sentBytes += frame.length;
    this.#socket.write(frame);
  }

  /** Ends the stream at once. */
  close(fault: PeerFault | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.destroy();
    this.#events.onEnd(fault);
  }

  /** Ends the stream after what was sent before, or at once when the other side does not read. */
  finish(fault: PeerFault | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.destroySoon();
    this.#socket.setTimeout(1000, () => this.#socket.destroy());
    this.#events.onEnd(fault);
  }

  #onData(chunk: Buffer): void {
    if (this.#isOver) return;
    this.receivedBytes += chunk.length;
    this.#counters.receivedBytes += chunk.length;
    this.#reader.push(chunk);
    try {
      for (let sealed = this.#reader.next(); sealed !== undefined; sealed = this.#reader.next()) {
        this.#counters.receivedFrames += 1;
        this.#isFirst = false;
        this.#events.onPayload(this.receiveSeal.open(sealed));
        if (this.#isOver) return;
      }
    } catch (error) {
      if (!(error instanceof PeerFault)) throw error;
      if (this.#isFirst && error.reason === 'oversize') this.#endForeign();
      else this.close(error);
    }
  }

  #endForeign(): void {
    const { reason, kind, found } = foreignProtocol(this.#reader.head);
    const fault = new PeerFault(reason, found, kind);
    if (kind === 'tls') this.#socket.write(VERSION_ALERT);
    this.finish(fault);
  }
}
