// One connection of the fast lane: requests are read one after another and answered in order.
// Invariant: bytes are taken from the socket only while nothing blocks; what was taken too early is put back.

import type { Socket } from 'node:net';
import { AnswerQueue } from './answer-queue.js';
import type { TrackedConnection } from './connection-set.js';
import type { FastLaneShare } from './fast-lane-share.js';
import { FastRequest, type Resolvable } from './fast-request.js';
import { HeaderBlock } from './header-block.js';
import type { HttpAnswer } from './http-answer.js';
import type { HandOverReason, RefusalReason } from './http-counters.js';
import type { TargetMemo } from './http-request.js';
import { peerAddress } from './peer-address.js';
import { tooSlow } from './refusal.js';
import type { HeadOutcome } from './request-head.js';
import type { AnswerRoute } from './route.js';
import type { KeptTarget } from './target-cache.js';
import { UnreadWatch } from './unread-watch.js';

/** Larger heads go to the other lane; half the configured limit when that is less, since Node counts a little differently. */
const FAST_HEAD_BYTES = 64 * 1024;
/** A request that comes in more pieces goes to the other lane, because each piece makes this one read it from the start. */
const FAST_FRAGMENTS = 32;
/** A connection is kept this much longer than clients are told, so that they stop using it first. */
const IDLE_GRACE_MS = 5000;
/** After this many requests whose headers were read, a connection does not compare them any more. */
const CHANGED_HEADERS = 16;

/** A connection in the fast lane. */
export class FastConnection implements TrackedConnection {
  readonly #lane: FastLaneShare;
  readonly #socket: Socket;
  /** The present request. */
  readonly #request: FastRequest;
  readonly #answers: AnswerQueue;
  readonly #unread: UnreadWatch;
  readonly #headBytesMax: number;
  /** Headers of the request before, and those before them: clients that poll and beat alternate. */
  #headers: HeaderBlock | undefined;
  #otherHeaders: HeaderBlock | undefined;
  #changedHeaders = 0;
  /** Request line of the request before, when it is kept. */
  #lastTarget: KeptTarget | undefined;
  /** The one before that had the same. */
  #repeats = false;
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

  constructor(lane: FastLaneShare, socket: Socket) {
    const { encoder, afterJournal, connections, settings } = lane.options;
    this.#lane = lane;
    this.#socket = socket;
    this.#request = new FastRequest(peerAddress(socket), lane.options.answering.limits);
    this.#answers = new AnswerQueue({ socket, encoder, afterJournal, onReleased: () => this.#proceed() });
    this.#unread = new UnreadWatch(socket, settings.unreadMs, () => this.#abort());
    this.#headBytesMax = Math.min(FAST_HEAD_BYTES, settings.headBytes / 2);
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
    if (!this.#over) this.#request.connection.state = 'ended';
    this.#peerEnded = true;
    this.#settle();
  };

  readonly #onDrain = (): void => {
    this.#answers.drained();
    this.#sinceMs = this.#lane.options.connections.nowMs;
    this.#proceed();
  };

  readonly #onClose = (hadError: boolean): void => {
    const { connection } = this.#request;
    if (connection.state === 'open') connection.state = hadError && !this.#over ? 'reset' : 'closed';
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
    const kept = this.#keptTarget(bytes, at);
    let outcome = kept === undefined ? head.readRequestLine(bytes, at) : 'complete';
    if (outcome !== 'complete') return this.#waitOrLeave(outcome, bytes, at);
    const headersStart = kept === undefined ? head.headersStart : at + kept.lineLength;
    let headers = this.#knownHeaders(bytes, headersStart);
    if (headers === undefined) {
      outcome = head.readHeaders(bytes, headersStart);
      if (outcome !== 'complete') return this.#waitOrLeave(outcome, bytes, at);
      headers = this.#keepHeaders(bytes);
    }
    const bodyStart = headersStart + headers.length;
    const contentLength = headers.contentLengthAt(bytes, headersStart);
    if (bodyStart - at > this.#headBytesMax || contentLength > options.settings.bodyBytes) {
      return this.#leaveFor('size', at);
    }
    if (headers.fromOrigin && options.settings.allowedOrigins.length > 0) return this.#leaveFor('origin', at);
    const end = bodyStart + contentLength;
    if (end > bytes.length) return this.#waitFor('body', at);
    const request = this.#request;
    request.bytes = bytes;
    request.headers = headers;
    request.headersStart = headersStart;
    request.bodyStart = bodyStart;
    request.bodyEnd = end;
    if (kept !== undefined) this.#answerKept(kept);
    else if (!this.#resolve(bytes, at)) return this.#leaveFor('route', at);
    return end;
  }

  /** @returns the request line at a place when it is kept. Who polls one service sends one line: that is tried first */
  #keptTarget(bytes: Buffer, at: number): KeptTarget | undefined {
    const last = this.#lastTarget;
    if (last !== undefined && this.#repeats && bytes.length - at >= last.lineLength && last.standsAt(bytes, at))
      return last;
    const kept = this.#lane.targets.find(bytes, at);
    this.#repeats = kept !== undefined && kept === last;
    this.#lastTarget = kept;
    return kept;
  }

  /** @returns the headers at a place when they are those of one of the two requests before */
  #knownHeaders(bytes: Buffer, start: number): HeaderBlock | undefined {
    const last = this.#headers;
    if (last === undefined) return undefined;
    if (last.standsAt(bytes, start)) return last;
    const other = this.#otherHeaders;
    if (other?.standsAt(bytes, start) !== true) return undefined;
    this.#otherHeaders = last;
    this.#headers = other;
    return other;
  }

  /** @returns the headers just read, kept as long as enough of them come again on this connection */
  #keepHeaders(bytes: Buffer): HeaderBlock {
    if (this.#changedHeaders < CHANGED_HEADERS) {
      this.#changedHeaders++;
      const kept = this.#lane.keptHeaders(bytes);
      if (kept !== undefined) {
        if (kept !== this.#headers) this.#otherHeaders = this.#headers;
        this.#headers = kept;
        return kept;
      }
    }
    this.#headers = undefined;
    return HeaderBlock.once(this.#lane.head);
  }

  /** @returns whether the request has a route of this lane; it is answered then */
  #resolve(bytes: Buffer, at: number): boolean {
    const { head, targets, options } = this.#lane;
    const target = bytes.toString('latin1', head.targetStart, head.targetEnd);
    const resolved = options.answering.resolve(head.method, target);
    const { route } = resolved;
    if (route === undefined || route.stream === true) return false;
    const kept = targets.offer(bytes, at, this.#request.headersStart, resolved);
    if (kept !== undefined) this.#answerKept(kept);
    else this.#answer({ resolved }, route, undefined);
    return true;
  }

  #answerKept(kept: KeptTarget): void {
    this.#answer(kept, kept.route, this.#lane.targets.memoFor(kept, this.#request));
  }

  #answer(line: Resolvable, route: AnswerRoute, memo: TargetMemo | undefined): void {
    const { answering, counters } = this.#lane.options;
    const request = this.#request;
    this.#fragments = 0;
    this.#waitingFor = 'request';
    counters.fastRequests++;
    request.begin(line, memo);
    const answer = answering.answerRoute(request, route);
    if (!(answer instanceof Promise)) {
      request.end();
      this.#answers.push(answer);
      return;
    }
    this.#answering = true;
    void answer.then((late) => this.#answerLate(late));
  }

  #answerLate(answer: HttpAnswer): void {
    this.#answering = false;
    this.#request.end();
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

  #waitOrLeave(outcome: Exclude<HeadOutcome, 'complete'>, bytes: Buffer, at: number): number {
    if (outcome !== 'incomplete') return this.#leaveFor(outcome, at);
    return bytes.length - at > this.#headBytesMax ? this.#leaveFor('size', at) : this.#waitFor('head', at);
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
    this.#request.connection.state = 'closed';
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
