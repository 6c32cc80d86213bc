// One connection of the fast lane: requests are read one after another and answered in order.
// Invariant: bytes are taken from the socket only while nothing blocks; what was taken too early is put back.

import type { Socket } from 'node:net';
import { AnswerQueue } from './answer-queue.js';
import type { TrackedConnection } from './connection-set.js';
import type { FastLane } from './fast-lane.js';
import { FastRequest } from './fast-request.js';
import type { HttpAnswer } from './http-answer.js';
import type { HandOverReason, RefusalReason } from './http-counters.js';
import { peerAddress } from './peer-address.js';
import { tooSlow } from './refusal.js';
import type { ResolvedTarget } from './resolved-target.js';
import { UnreadWatch } from './unread-watch.js';

/** Larger heads go to the other lane; half the configured limit when that is less, since Node counts a little differently. */
const FAST_HEAD_BYTES = 64 * 1024;
/** A request that comes in more pieces goes to the other lane, because each piece makes this one read it from the start. */
const FAST_FRAGMENTS = 32;
/** A connection is kept this much longer than clients are told, so that they stop using it first. */
const IDLE_GRACE_MS = 5000;

/** A connection in the fast lane. */
export class FastConnection implements TrackedConnection {
  readonly #lane: FastLane;
  readonly #socket: Socket;
  readonly #remoteAddress: string;
  readonly #answers: AnswerQueue;
  readonly #unread: UnreadWatch;
  /** Beginning of a request whose end has not arrived. */
  #partial: Buffer | undefined;
  /** Reads that the present request has taken, beyond the first. */
  #fragments = 0;
  /** What the next bytes belong to. */
  #waitingFor: 'request' | 'head' | 'body' = 'request';
  /** Coarse time since when they are waited for. */
  #sinceMs: number;
  /** A handler has not answered yet. */
  #answering = false;
  #reading = false;
  #peerEnded = false;
  #finishing = false;
  /** Nothing is sent or read here any more. */
  #over = false;
  #handOver: HandOverReason | undefined;

  constructor(lane: FastLane, socket: Socket) {
    const { encoder, afterJournal, connections, settings } = lane.options;
    this.#lane = lane;
    this.#socket = socket;
    this.#remoteAddress = peerAddress(socket);
    this.#answers = new AnswerQueue({ socket, encoder, afterJournal, onReleased: () => this.#proceed() });
    this.#unread = new UnreadWatch(socket, settings.unreadMs, () => this.#abort());
    this.#sinceMs = connections.nowMs;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('drain', this.#onDrain);
    socket.on('close', this.#onClose);
  }

  /** Takes received bytes. */
  receive(chunk: Buffer): void {
    if (this.#blocked()) {
      this.#putBack(chunk);
      return;
    }
    const partial = this.#partial;
    if (partial === undefined) {
      this.#read(chunk);
      return;
    }
    this.#partial = undefined;
    this.#fragments++;
    this.#read(Buffer.concat([partial, chunk]));
  }

  sweep(nowMs: number): void {
    this.#unread.sweep();
    if (this.#over || this.#answering || this.#answers.stalled || this.#answers.waiting > 0) return;
    const { settings } = this.#lane.options;
    const waitedMs = nowMs - this.#sinceMs;
    if (this.#waitingFor !== 'request') this.#sweepSlow(this.#waitingFor, waitedMs);
    else if (waitedMs > settings.idleMs + IDLE_GRACE_MS) this.#endFor('idle');
  }

  finish(): void {
    this.#finishing = true;
    this.#settle();
  }

  readonly #onData = (chunk: Buffer): void => this.receive(chunk);

  readonly #onEnd = (): void => {
    this.#peerEnded = true;
    this.#settle();
  };

  readonly #onDrain = (): void => {
    this.#answers.drained();
    this.#sinceMs = this.#lane.options.connections.nowMs;
    this.#proceed();
  };

  readonly #onClose = (): void => {
    this.#over = true;
  };

  #blocked(): boolean {
    return (
      this.#answering ||
      this.#over ||
      this.#handOver !== undefined ||
      this.#answers.stalled ||
      this.#answers.waiting >= this.#lane.options.settings.pipelinedRequests
    );
  }

  #read(bytes: Buffer): void {
    this.#reading = true;
    let at = 0;
    while (at < bytes.length && !this.#blocked()) {
      const next = this.#readRequest(bytes, at);
      if (next === at) break;
      at = next;
    }
    this.#reading = false;
    if (at < bytes.length) this.#keep(at === 0 ? bytes : bytes.subarray(at));
    this.#proceed();
  }

  #keep(rest: Buffer): void {
    if (this.#blocked()) this.#putBack(rest);
    else this.#partial = rest;
  }

  /** @returns where the next request begins; `at` itself when this one is not complete or not for this lane */
  #readRequest(bytes: Buffer, at: number): number {
    const { head, options } = this.#lane;
    const headBytesMax = Math.min(FAST_HEAD_BYTES, options.settings.headBytes / 2);
    const outcome = head.read(bytes, at);
    if (outcome === 'incomplete') {
      return bytes.length - at > headBytesMax ? this.#leaveFor('size', at) : this.#waitFor('head', at);
    }
    if (outcome !== 'complete') return this.#leaveFor(outcome, at);
    if (head.bodyStart - at > headBytesMax || head.contentLength > options.settings.bodyBytes) {
      return this.#leaveFor('size', at);
    }
    if (head.fromOrigin && options.settings.allowedOrigins.length > 0) return this.#leaveFor('origin', at);
    const end = head.bodyStart + head.contentLength;
    if (end > bytes.length) return this.#waitFor('body', at);
    return this.#dispatch(bytes, at) ? end : this.#leaveFor('route', at);
  }

  /** @returns whether the request has a route of this lane */
  #dispatch(bytes: Buffer, at: number): boolean {
    const { head, targets, options } = this.#lane;
    const key = bytes.toString('latin1', at, head.targetEnd);
    let resolved = targets.get(key);
    let kept = resolved !== undefined;
    if (resolved === undefined) {
      resolved = options.answering.resolve(head.method, key.slice(head.method.length + 1));
      const route = resolved.route;
      if (route === undefined || route.stream === true) return false;
      kept = route.repeated === true && head.contentLength === 0 && targets.add(key, resolved);
    }
    this.#fragments = 0;
    this.#waitingFor = 'request';
    this.#answer(bytes, resolved, kept);
    return true;
  }

  #answer(bytes: Buffer, resolved: ResolvedTarget, kept: boolean): void {
    const { head, options } = this.#lane;
    const { answering, counters } = options;
    counters.fastRequests++;
    const request = new FastRequest({
      bytes,
      head,
      resolved,
      remoteAddress: this.#remoteAddress,
      limits: answering.limits,
      kept,
    });
    const answer = answering.answer(request, resolved);
    if (!(answer instanceof Promise)) {
      this.#answers.push(answer);
      return;
    }
    this.#answering = true;
    void answer.then((late) => this.#answerLate(late));
  }

  #answerLate(answer: HttpAnswer): void {
    this.#answering = false;
    if (this.#over) return;
    const last = this.#finishing && this.#answers.waiting === 0 && answer.afterJournal !== true;
    if (last) this.#answers.pushLast(answer);
    else this.#answers.push(answer);
    this.#proceed();
  }

  /** Sends what may leave, and goes on when nothing blocks any more. */
  #proceed(): void {
    if (this.#reading || this.#over) return;
    if (this.#answers.flush()) this.#sinceMs = this.#lane.options.connections.nowMs;
    this.#settle();
  }

  /** Does what had to wait until nothing is in progress. */
  #settle(): void {
    if (this.#over || this.#answering || this.#answers.waiting > 0) return;
    if (this.#handOver !== undefined) this.#leave(this.#handOver);
    else if (this.#finishing) this.#end();
    else if (this.#answers.stalled) return;
    else if (this.#peerEnded) this.#end();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #waitFor(part: 'head' | 'body', at: number): number {
    if (this.#fragments >= FAST_FRAGMENTS) return this.#leaveFor('fragments', at);
    if (this.#waitingFor !== part) {
      this.#waitingFor = part;
      this.#sinceMs = this.#lane.options.connections.nowMs;
    }
    return at;
  }

  #leaveFor(reason: HandOverReason, at: number): number {
    this.#handOver = reason;
    return at;
  }

  /** Paused with bytes in front, a socket does not announce its end either, so the order of events is kept. */
  #putBack(bytes: Buffer): void {
    if (this.#over) return;
    this.#socket.pause();
    this.#socket.unshift(bytes);
  }

  #leave(reason: HandOverReason): void {
    const { counters, handOver } = this.#lane.options;
    this.#over = true;
    this.#unread.disarm();
    counters.countHandOver(reason);
    this.#socket.off('data', this.#onData);
    this.#socket.off('end', this.#onEnd);
    this.#socket.off('drain', this.#onDrain);
    this.#socket.off('close', this.#onClose);
    handOver(this.#socket);
  }

  #sweepSlow(part: 'head' | 'body', waitedMs: number): void {
    const { settings } = this.#lane.options;
    const allowedMs = part === 'head' ? settings.headMs : settings.bodyMs;
    if (waitedMs <= allowedMs) return;
    this.#answers.pushLast(tooSlow(part, allowedMs));
    this.#answers.flush();
    this.#endFor(part === 'head' ? 'head-timeout' : 'body-timeout');
  }

  #endFor(reason: RefusalReason): void {
    this.#lane.options.counters.countRefusal(reason);
    this.#end();
  }

  #end(): void {
    this.#over = true;
    this.#socket.destroySoon();
  }

  #abort(): void {
    this.#over = true;
    this.#lane.options.counters.countRefusal('unread-answer');
    this.#socket.destroy();
  }
}
