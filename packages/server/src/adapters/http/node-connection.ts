// One connection of the Node lane. Its requests are answered one after another, as in the fast lane, since a pipelined request
// may depend on the one before it (RFC 9112 section 9.3.2).

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerEncoder } from './answer-head.js';
import type { ConnectionSet, TrackedConnection } from './connection-set.js';
import type { CorsPolicy } from './cors-policy.js';
import type { HttpAnswer } from './http-answer.js';
import type { HttpCounters, RefusalReason } from './http-counters.js';
import type { HttpSettings } from './http-settings.js';
import { type AfterJournal, unwrittenAnswer } from './journal-gate.js';
import { BodyReading, declaredBytes } from './node-body.js';
import { NodeEventStream } from './node-event-stream.js';
import { NodeRequest, rawHeaderValues } from './node-request.js';
import { peerAddress } from './peer-address.js';
import { bodyTooLarge, closingBytes, tooSlow, wrongHosts, wrongVersion } from './refusal.js';
import type { RequestAnswering } from './request-answering.js';
import type { ResolvedTarget } from './resolved-target.js';
import type { StreamRoute } from './route.js';
import { UnreadWatch } from './unread-watch.js';

/** A connection is kept this much longer than clients are told, so that they stop using it first. */
const IDLE_GRACE_MS = 5000;
/** After a refusal the rest of what the peer sends is read this long, or the refusal could be lost to a reset. */
const LINGER_MS = 2000;

/** What the connections of the Node lane share. */
export interface NodeLaneOptions {
  readonly answering: RequestAnswering;
  readonly encoder: AnswerEncoder;
  readonly cors: CorsPolicy;
  readonly connections: ConnectionSet;
  readonly counters: HttpCounters;
  readonly settings: HttpSettings;
  readonly afterJournal: AfterJournal;
}

/** One request with its response. */
export interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** The client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue?: true;
  /** Decided already: answer with this. */
  readonly refusal?: HttpAnswer;
}

/** A connection in the Node lane. */
export class NodeConnection implements TrackedConnection {
  readonly #options: NodeLaneOptions;
  readonly #socket: Socket;
  readonly #remoteAddress: string;
  readonly #unread: UnreadWatch;
  /** Requests whose turn has not come. */
  readonly #queue: Exchange[] = [];
  /** The request whose turn it is. */
  #current: Exchange | undefined;
  #body: BodyReading | undefined;
  #stream: NodeEventStream | undefined;
  /** Why nothing more can be read; sent when the requests before it are answered. */
  #failure: HttpAnswer | undefined;
  /** `over`: nothing is read or sent any more, the connection closes. */
  #phase: 'request' | 'head' | 'body' | 'answer' | 'linger' | 'over' = 'head';
  #sinceMs: number;
  /** Bytes received when the last request was answered; more mean that a head has begun. */
  #bytesReadBefore = 0;
  #peerEnded = false;
  #finishing = false;
  /** Ends the wait for the present response when the connection closes. */
  #wake: () => void = () => undefined;

  constructor(options: NodeLaneOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    this.#remoteAddress = peerAddress(socket);
    this.#unread = new UnreadWatch(socket, options.settings.unreadMs, () => this.#abort());
    this.#sinceMs = options.connections.nowMs;
    socket.on('end', () => this.#onPeerEnded());
    socket.on('close', () => {
      this.#phase = 'over';
      this.#body?.cut();
      this.#wake();
    });
  }

  /** Takes a request that Node has read the head of. */
  begin(exchange: Exchange): void {
    if (this.#phase === 'over' || this.#phase === 'linger') return;
    this.#queue.push(exchange);
    if (this.#queue.length > this.#options.settings.pipelinedRequests) this.#socket.pause();
    if (this.#current === undefined) void this.#run();
  }

  /**
   * Takes note that nothing more can be read.
   *
   * @param answer - what the peer is told after the answers that it has coming
   */
  fail(answer: HttpAnswer, reason: RefusalReason): void {
    if (this.#failure !== undefined || this.#phase === 'linger' || this.#phase === 'over') return;
    this.#options.counters.countRefusal(reason);
    this.#failure = answer;
    this.#finishing = true;
    if (this.#current === undefined) this.#onIdle();
    else if (!this.#current.message.complete) this.#body?.cut();
  }

  sweep(nowMs: number): void {
    const { settings } = this.#options;
    this.#unread.sweep();
    this.#stream?.sweep(nowMs);
    const waitedMs = nowMs - this.#sinceMs;
    switch (this.#phase) {
      case 'request':
        if (this.#socket.bytesRead > this.#bytesReadBefore) this.#enter('head');
        else if (waitedMs > settings.idleMs + IDLE_GRACE_MS) this.#endFor('idle');
        return;
      case 'head':
        if (waitedMs > settings.headMs) this.fail(tooSlow('head', settings.headMs), 'head-timeout');
        return;
      case 'body':
        if (waitedMs > settings.bodyMs) this.fail(tooSlow('body', settings.bodyMs), 'body-timeout');
        return;
      case 'linger':
        if (waitedMs > LINGER_MS) this.#socket.destroy();
        return;
      case 'answer':
      case 'over':
        return;
    }
  }

  finish(): void {
    this.#finishing = true;
    this.#stream?.close();
    if (this.#current === undefined) this.#onIdle();
  }

  async #run(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      this.#current = next;
      this.#enter('answer');
      await this.#serve(next);
      if (this.#queue.length === 0 && this.#socket.isPaused()) this.#socket.resume();
    }
    this.#current = undefined;
    this.#onIdle();
  }

  async #serve(exchange: Exchange): Promise<void> {
    const { message, response } = exchange;
    const { answering, counters, settings } = this.#options;
    const refusal = exchange.refusal ?? refusalOfHead(message, settings);
    if (refusal !== undefined) return this.#refuse(response, refusal);
    const body = await this.#readBody(exchange);
    if (body === undefined) return;
    counters.nodeRequests++;
    const resolved = answering.resolve(message.method ?? '', message.url ?? '');
    const parts = { message, resolved, body, remoteAddress: this.#remoteAddress, limits: answering.limits };
    const request = new NodeRequest(parts);
    if (resolved.route?.stream === true && request.method === 'GET') {
      return this.#openStream(resolved.route, { request, resolved, response });
    }
    const answer = await answering.answer(request, resolved);
    const error = answer.afterJournal === true ? await this.#journalled() : undefined;
    await this.#send(
      response,
      this.#withOrigin(error === undefined ? answer : unwrittenAnswer(answer), request.header('origin')),
    );
  }

  /** @returns undefined when the request was refused or the peer is gone */
  async #readBody({ message, response, expectsContinue }: Exchange): Promise<Buffer | undefined> {
    this.#body = new BodyReading(message, this.#options.settings.bodyBytes);
    this.#enter('body');
    if (expectsContinue) response.writeContinue();
    // The connection may have failed while the requests before this one were answered.
    if (!message.complete && (this.#failure !== undefined || this.#peerEnded)) this.#body.cut();
    const outcome = await this.#body.outcome;
    this.#body = undefined;
    this.#enter('answer');
    if (outcome.kind === 'complete') return outcome.body;
    if (outcome.kind === 'too-large') {
      this.#options.counters.countRefusal('body-too-large');
      this.#refuse(response, bodyTooLarge(this.#options.settings, outcome.foundBytes));
    } else if (this.#failure !== undefined) this.#refuse(response, this.#failure);
    else this.#end();
    return undefined;
  }

  async #openStream(
    route: StreamRoute,
    exchange: { request: NodeRequest; resolved: ResolvedTarget; response: ServerResponse },
  ): Promise<void> {
    const { answering, encoder, settings, connections, cors } = this.#options;
    const { request, response } = exchange;
    const refusal = answering.refusal(request);
    if (refusal !== undefined) return this.#send(response, refusal);
    const headers = [...encoder.streamHeaders(), ...cors.headersFor(request.header('origin')).flat()];
    const stream = new NodeEventStream({ response, headers, unsentBytes: settings.unsentBytes }, connections.nowMs);
    this.#stream = stream;
    try {
      route.open(request, stream);
      stream.start();
    } catch (error) {
      this.#stream = undefined;
      if (stream.started) response.destroy();
      else await this.#send(response, answering.failure(error, request));
      return;
    }
    await new Promise<void>((resolve) => stream.onClose(resolve));
    this.#stream = undefined;
  }

  #journalled(): Promise<Error | undefined> {
    return new Promise((resolve) => this.#options.afterJournal(resolve));
  }

  #withOrigin(answer: HttpAnswer, origin: string | undefined): HttpAnswer {
    const added = this.#options.cors.headersFor(origin);
    return added.length === 0 ? answer : { ...answer, headers: [...(answer.headers ?? []), ...added] };
  }

  /** Sends an answer and waits until it is on its way, so that the next one finds the connection free. */
  async #send(response: ServerResponse, answer: HttpAnswer): Promise<void> {
    if (this.#phase === 'over') return;
    const last = this.#finishing && this.#failure === undefined && this.#queue.length === 0;
    const persistence = response.shouldKeepAlive && !last ? 'keep-alive' : 'close';
    const headers = this.#options.encoder.headers(answer, persistence);
    const closed = new Promise<void>((resolve) => {
      this.#wake = resolve;
      response.once('close', resolve);
    });
    response.writeHead(answer.status, STATUS_CODES[answer.status] ?? 'Unknown', headers);
    response.end(answer.body);
    // Node closes after an answer that says so, and what the peer sends beyond that is nobody's request.
    if (persistence === 'close') this.#phase = 'over';
    await closed;
  }

  /** Answers and closes without waiting for the rest of the request. */
  #refuse(response: ServerResponse, answer: HttpAnswer): void {
    if (this.#phase === 'over') return;
    const headers = this.#options.encoder.headers(answer, 'close');
    response.writeHead(answer.status, STATUS_CODES[answer.status] ?? 'Unknown', headers);
    response.write(answer.body);
    this.#linger();
  }

  #linger(): void {
    this.#enter('linger');
    this.#queue.length = 0;
    this.#socket.end();
    this.#socket.resume();
  }

  /** All requests so far are answered. */
  #onIdle(): void {
    if (this.#phase === 'over' || this.#phase === 'linger') return;
    if (this.#failure !== undefined) {
      this.#socket.write(closingBytes(this.#options.encoder, this.#failure));
      this.#linger();
    } else if (this.#finishing || this.#peerEnded) {
      this.#end();
    } else {
      this.#bytesReadBefore = this.#socket.bytesRead;
      this.#enter('request');
    }
  }

  #onPeerEnded(): void {
    this.#peerEnded = true;
    // Who reads a stream does not close one side only, so the peer is gone.
    this.#stream?.close();
    if (this.#current === undefined) this.#onIdle();
    else if (!this.#current.message.complete) this.#body?.cut();
  }

  #enter(phase: 'request' | 'head' | 'body' | 'answer' | 'linger'): void {
    if (this.#phase === 'over') return;
    this.#phase = phase;
    this.#sinceMs = this.#options.connections.nowMs;
  }

  #endFor(reason: RefusalReason): void {
    this.#options.counters.countRefusal(reason);
    this.#end();
  }

  #end(): void {
    this.#phase = 'over';
    this.#socket.destroySoon();
  }

  #abort(): void {
    this.#options.counters.countRefusal('unread-answer');
    this.#socket.destroy();
  }
}

/** What the head alone forbids. */
function refusalOfHead(message: IncomingMessage, settings: HttpSettings): HttpAnswer | undefined {
  if (message.httpVersionMajor !== 1) return wrongVersion(message.httpVersion);
  const hosts = rawHeaderValues(message, 'host').length;
  if (message.httpVersion === '1.1' && hosts !== 1) return wrongHosts(hosts);
  const bytes = declaredBytes(message);
  return bytes > settings.bodyBytes ? bodyTooLarge(settings, bytes) : undefined;
}
