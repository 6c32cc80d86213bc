// gRPC on accepted sockets: ties streams to their connection, answers calls, ends connections and says why.
// HTTP/2 under it is our own, because each of its bounds has to be ours and counted. See ADR 7.

import type { Socket } from 'node:net';
import { framedPayload, RegistryError } from '@rollcall/protocol';
import { after, type Instant, type Logger } from '@rollcall/runtime';
import type { ConnectionClosedInput } from '../../core/registry-input.js';
import { peerAddress } from '../http/peer-address.js';
import type { RegistryAccess } from '../registry-access.js';
import { ANSWER_HEAD, httpRefusalBlock, refusalBlock, STATUS, TRAILERS } from './answer-blocks.js';
import { ClientStream } from './client-stream.js';
import type { ConnectionDrain } from './connection-drain.js';
import type { FuzzyWatches } from './fuzzy-watches.js';
import { GrpcConnection } from './grpc-connection.js';
import type { CloseReason, GrpcCounters, RefusalReason } from './grpc-counters.js';
import type { GrpcSettings } from './grpc-settings.js';
import type { Http2Stream, StreamReceiver } from './http2/http2-stream.js';
import type { RequestHead } from './http2/request-head.js';
import { Http2Socket } from './http2-socket.js';
import { IncomingMessages } from './incoming-messages.js';
import { MessageRoom } from './message-room.js';
import { SharedTurns } from './shared-turns.js';
import type { StreamMessages } from './stream-messages.js';
import { UnaryCall } from './unary-call.js';
import type { UnaryAnswer, UnaryDispatch } from './unary-dispatch.js';

/** How often connections are looked at for silence and stalls. */
const SWEEP_MS = 500;

/** Takes the body of a request that is refused already. */
const IGNORING: StreamReceiver = { data: () => undefined, end: () => undefined, closed: () => undefined };

/** What the transport works with. */
export interface GrpcTransportOptions {
  readonly registry: RegistryAccess;
  readonly logger: Logger;
  readonly settings: GrpcSettings;
  readonly dispatch: UnaryDispatch;
  readonly streamMessages: StreamMessages;
  readonly watches: FuzzyWatches;
  readonly counters: GrpcCounters;
  readonly connections: Map<string, GrpcConnection>;
  readonly drain: ConnectionDrain;
  /** A connection has taken everything that waited for it. */
  readonly onRelief: (connection: GrpcConnection) => void;
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn: (callback: () => void) => void;
}

/** Serves gRPC on sockets that others accept. */
export class GrpcTransport {
  readonly #options: GrpcTransportOptions;
  readonly #roomOfAll: MessageRoom;
  readonly #turns: SharedTurns;
  /** Calls whose request has not come in, oldest first. */
  readonly #unfinished = new Set<UnaryCall>();
  readonly #sweep: NodeJS.Timeout;
  /** What clients published stays when the server stops: they come back, here or elsewhere, and lists must not shrink. */
  #isStopping = false;

  constructor(options: GrpcTransportOptions) {
    this.#options = options;
    this.#roomOfAll = new MessageRoom(options.settings.incompleteBytesOfAll);
    const nowMs = () => options.registry.now().mono;
    this.#turns = new SharedTurns({ nowMs, nextTurn: options.nextTurn });
    this.#sweep = setInterval(() => this.#look(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** Takes a connection that speaks HTTP/2. @param bytes - what was received of it so far */
  accept(socket: Socket, bytes: Buffer): void {
    const { connections, counters, registry, settings } = this.#options;
    if (connections.size >= settings.connections) {
      counters.countClosed('connections-full');
      socket.destroy();
      return;
    }
    const now = registry.now();
    const http2 = new Http2Socket(socket, {
      bounds: settings.http2,
      nowMs: () => registry.now().mono,
      turns: this.#turns,
      events: {
        onRequest: (stream, head) => this.#onRequest(connection, stream, head),
        onStreamRefused: () => counters.countRefused('too-many-streams'),
        onRelief: () => {
          connection.relieve();
          this.#options.onRelief(connection);
        },
        onFailed: ({ reason, message }) => this.#report(connection, reason, message),
        onClosed: () => this.#onClosed(connection),
      },
    });
    const connection = new GrpcConnection(
      http2,
      { acceptedAt: now.wall, remoteAddress: peerAddress(socket), remotePort: socket.remotePort ?? 0 },
      { settings, roomOfAll: this.#roomOfAll, now: now.mono },
    );
    counters.accepted += 1;
    connections.set(connection.id, connection);
    http2.start(bytes);
  }

  /** Ends all connections; clients look for another server. */
  close(reason: CloseReason): void {
    clearInterval(this.#sweep);
    this.#isStopping = true;
    for (const connection of this.#options.connections.values()) this.#end(connection, reason);
  }

  #onRequest(connection: GrpcConnection, stream: Http2Stream, head: RequestHead): StreamReceiver {
    const { path } = head;
    if (head.method !== 'POST') return this.#refuse(stream, 'no-grpc', httpRefusalBlock(405));
    if (!head.contentType.startsWith('application/grpc')) return this.#refuse(stream, 'no-grpc', httpRefusalBlock(415));
    if (path === '/Request/request') return this.#unary(connection, stream);
    if (path === '/BiRequestStream/requestBiStream') return this.#biStream(connection, stream);
    return this.#refuse(
      stream,
      'unknown-method',
      refusalBlock(STATUS.unimplemented, `Method "${path.slice(0, 200)}" is not known`),
    );
  }

  #refuse(stream: Http2Stream, reason: RefusalReason, block: Uint8Array): StreamReceiver {
    this.#options.counters.countRefused(reason);
    stream.refuse(block);
    return IGNORING;
  }

  #unary(connection: GrpcConnection, stream: Http2Stream): StreamReceiver {
    const { counters, registry } = this.#options;
    const call = new UnaryCall(stream, {
      owner: {
        onMessage: (_, message) => this.#answer(connection, call, message),
        onRefused: (reason) => counters.countRefused(reason),
        onSettled: () => this.#unfinished.delete(call),
      },
      messages: this.#messagesOf(connection),
      now: registry.now().mono,
    });
    this.#unfinished.add(call);
    return call;
  }

  #answer(connection: GrpcConnection, call: UnaryCall, bytes: Uint8Array): void {
    const { counters, dispatch, registry } = this.#options;
    counters.unaryRequests += 1;
    let answer: UnaryAnswer | Promise<UnaryAnswer>;
    try {
      answer = dispatch.answer(connection, bytes, registry.now().mono);
    } catch (error) {
      const text = error instanceof RegistryError ? error.message : 'Payload cannot be read';
      call.refuse('malformed', STATUS.unknown, text);
      return;
    }
    if (answer instanceof Promise) void answer.then((message) => this.#respond(connection, call.stream, message));
    else this.#respond(connection, call.stream, answer);
  }

  #respond(connection: GrpcConnection, stream: Http2Stream, answer: UnaryAnswer): void {
    const body = answer instanceof Uint8Array ? answer : framedPayload(answer.type, answer.json);
    stream.answer({ head: ANSWER_HEAD, body, trailers: TRAILERS[STATUS.ok] });
    if (connection.waitingBytes > this.#options.settings.waitingBytes)
      this.#end(connection, 'waiting-bytes', 'at-once');
  }

  #biStream(connection: GrpcConnection, stream: Http2Stream): StreamReceiver {
    const { counters, registry, streamMessages } = this.#options;
    const clientStream = new ClientStream(
      stream,
      {
        onMessage: (message) => {
          counters.streamMessages += 1;
          connection.idle.sign(registry.now().mono);
          if (!streamMessages.take(connection, message)) counters.countRefused('malformed');
        },
        onRefused: (reason) => counters.countRefused(reason),
        onClosed: (closed) => connection.detach(closed),
      },
      this.#messagesOf(connection),
    );
    connection.attach(clientStream);
    return clientStream;
  }

  #messagesOf(connection: GrpcConnection): IncomingMessages {
    return new IncomingMessages(connection.room, this.#options.settings.messageBytes);
  }

  #onClosed(connection: GrpcConnection): void {
    this.#options.connections.delete(connection.id);
    this.#options.watches.forget(connection);
    if (!this.#isStopping)
      this.#release(connection, {
        cause: this.#options.drain.hasAsked(connection) ? 'connection-moved' : 'connection-closed',
      });
  }

  #release({ id }: GrpcConnection, ending: Pick<ConnectionClosedInput, 'cause' | 'lastSign'>): void {
    this.#options.registry.step({ type: 'connection-closed', connection: id, ...ending });
  }

  #look(): void {
    const { connections, registry, settings, watches } = this.#options;
    const now = registry.now().mono;
    watches.resend(now);
    for (const call of this.#unfinished) {
      if (now - call.beganAt < settings.requestMs) break;
      call.refuse('unfinished', STATUS.deadlineExceeded, `Request was not complete after ${settings.requestMs} ms`);
    }
    for (const connection of connections.values()) {
      if (connection.waitingBytes > settings.waitingBytes) this.#end(connection, 'waiting-bytes', 'at-once');
      else if (connection.stalledMs(now) >= settings.stalledMs) this.#end(connection, 'stalled', 'at-once');
      else if (connection.pushes.waitsMs(now) >= settings.stalledMs) this.#end(connection, 'unacknowledged', 'at-once');
      else this.#askOrGiveUp(connection, now);
    }
  }

  #askOrGiveUp(connection: GrpcConnection, now: Instant): void {
    const verdict = connection.idle.check(now);
    if (verdict === 'alive' || (verdict === 'ask' && connection.askForSign())) return;
    const silentMs = now - connection.idle.lastSignAt;
    this.#release(connection, { cause: 'connection-silent', lastSign: after(now, -silentMs) });
    this.#end(connection, 'silent');
  }

  #end(connection: GrpcConnection, reason: CloseReason, how: 'politely' | 'at-once' = 'politely'): void {
    this.#report(connection, reason);
    if (how === 'at-once') connection.cut();
    else connection.close(reason);
  }

  #report(connection: GrpcConnection, reason: CloseReason, detail?: string): void {
    const { counters, logger } = this.#options;
    counters.countClosed(reason);
    logger.log('info', 'connection-ended', { connection: connection.id, reason, detail });
  }
}
