// HTTP/2 under gRPC: takes accepted sockets, ties streams to their connection, cuts messages, ends calls with a status.
// Node's own http2 carries it: the protocol has two methods, and their bounds must be ours. See the ADR on the transport.

import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import {
  encodePayload,
  FrameError,
  frameMessage,
  type Message,
  MessageCutter,
  RegistryError,
} from '@rollcall/protocol';
import type { Logger } from '@rollcall/runtime';
import { peerAddress } from '../http/peer-address.js';
import type { RegistryAccess } from '../registry-access.js';
import { ControlFrameBudget } from './control-frame-budget.js';
import type { FuzzyWatches } from './fuzzy-watches.js';
import { GrpcConnection } from './grpc-connection.js';
import type { CloseReason, GrpcCounters } from './grpc-counters.js';
import type { GrpcSettings } from './grpc-settings.js';
import type { StreamMessages } from './stream-messages.js';
import type { UnaryDispatch } from './unary-dispatch.js';

/** Statuses of gRPC that the transport itself gives. */
const STATUS = { ok: '0', invalid: '2', exhausted: '8', unimplemented: '12', internal: '13' } as const;

const CONTENT = { ':status': 200, 'content-type': 'application/grpc' };

/** How often connections are looked at for silence and stalls. */
const SWEEP_MS = 500;

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
}

/** Serves gRPC on sockets that others accept. */
export class GrpcTransport {
  readonly #options: GrpcTransportOptions;
  readonly #server: Http2Server;
  readonly #bySession = new WeakMap<ServerHttp2Session, GrpcConnection>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: GrpcTransportOptions) {
    this.#options = options;
    const { settings } = options;
    this.#server = createServer({
      settings: { maxConcurrentStreams: settings.streamsPerConnection, maxHeaderListSize: 64 * 1024 },
      maxSessionMemory: 16,
      maxSettings: 16,
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      maxHeaderListPairs: 64,
    });
    this.#server.on('session', (session) => this.#onSession(session));
    this.#server.on('stream', (stream, headers) => this.#onStream(stream, headers));
    this.#server.on('sessionError', () => {});
    this.#sweep = setInterval(() => this.#look(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** Takes a connection that speaks HTTP/2. @param bytes - what was received of it so far */
  accept(socket: Socket, bytes: Buffer): void {
    if (this.#options.connections.size >= this.#options.settings.connections) {
      this.#options.counters.countClosed('connections-full');
      socket.destroy();
      return;
    }
    // HTTP/2 has no use for a half-open connection: the end of the client's side is the end of the client.
    socket.allowHalfOpen = false;
    // While it flows, bytes put back would go to nobody.
    socket.pause();
    if (bytes.length > 0) socket.unshift(bytes);
    this.#server.emit('connection', socket);
  }

  /** Ends all connections; clients look for another server. */
  close(reason: CloseReason): void {
    clearInterval(this.#sweep);
    for (const connection of this.#options.connections.values()) this.#end(connection, reason);
  }

  #onSession(session: ServerHttp2Session): void {
    const { registry, settings, counters, connections } = this.#options;
    const now = registry.now();
    const { socket } = session;
    const connection = new GrpcConnection(
      session,
      { acceptedAt: now.wall, remoteAddress: peerAddress(socket), remotePort: socket.remotePort ?? 0 },
      { settings, now: now.mono },
    );
    counters.accepted += 1;
    connections.set(connection.id, connection);
    this.#bySession.set(session, connection);
    this.#guard(session, connection);
    session.on('close', () => this.#onClosed(connection));
  }

  #guard(session: ServerHttp2Session, connection: GrpcConnection): void {
    const { registry, settings } = this.#options;
    const budget = new ControlFrameBudget(settings.controlFramesPerSecond);
    const count = () => {
      if (!budget.take(registry.now().mono)) this.#end(connection, 'control-flood', 'at-once');
    };
    session.on('ping', count);
    session.on('remoteSettings', count);
    session.on('stream', (stream) => stream.on('close', () => stream.rstCode !== 0 && count()));
    // Errors end the session, which is all there is to do about them.
    session.on('error', () => {});
  }

  #onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const connection =
      stream.session === undefined ? undefined : this.#bySession.get(stream.session as ServerHttp2Session);
    if (connection === undefined) {
      stream.close();
      return;
    }
    // An error of one stream (a reset) concerns nobody else; its close event follows.
    stream.on('error', () => {});
    const path = headers[':path'];
    if (!String(headers['content-type'] ?? '').startsWith('application/grpc')) {
      stream.respond({ ':status': 415 }, { endStream: true });
    } else if (path === '/Request/request') this.#unary(connection, stream);
    else if (path === '/BiRequestStream/requestBiStream') this.#biStream(connection, stream);
    else endWith(stream, STATUS.unimplemented, `Method "${path}" is not known`);
  }

  #unary(connection: GrpcConnection, stream: ServerHttp2Stream): void {
    const cutter = new MessageCutter(this.#options.settings.messageBytes);
    let message: Uint8Array | undefined;
    let failed = false;
    const fail = (status: string, text: string) => {
      failed = true;
      this.#options.counters.refusedMessages += 1;
      endWith(stream, status, text);
    };
    stream.on('data', (chunk: Uint8Array) => {
      if (failed) return;
      try {
        for (const cut of cutter.push(chunk)) {
          if (message !== undefined) return fail(STATUS.internal, 'More than one message in a unary call');
          message = cut;
        }
      } catch (error) {
        fail(error instanceof FrameError ? String(error.grpcStatus) : STATUS.internal, String(error));
      }
    });
    stream.on('end', () => {
      if (failed) return;
      if (message === undefined || cutter.incomplete) fail(STATUS.internal, 'No message in a unary call');
      else this.#answer(connection, stream, message);
    });
  }

  #answer(connection: GrpcConnection, stream: ServerHttp2Stream, bytes: Uint8Array): void {
    const { counters, dispatch, registry } = this.#options;
    counters.unaryRequests += 1;
    let answer: Message | Promise<Message>;
    try {
      answer = dispatch.answer(connection, bytes, registry.now().mono);
    } catch (error) {
      counters.refusedMessages += 1;
      endWith(stream, STATUS.invalid, error instanceof RegistryError ? error.message : 'Payload cannot be read');
      return;
    }
    if (answer instanceof Promise) void answer.then((message) => respond(stream, message));
    else respond(stream, answer);
  }

  #biStream(connection: GrpcConnection, stream: ServerHttp2Stream): void {
    const { counters, registry, settings, streamMessages } = this.#options;
    const cutter = new MessageCutter(settings.messageBytes);
    stream.respond(CONTENT, { waitForTrailers: true });
    connection.attach(stream);
    stream.on('data', (chunk: Uint8Array) => {
      try {
        for (const message of cutter.push(chunk)) {
          counters.streamMessages += 1;
          connection.idle.sign(registry.now().mono);
          if (!streamMessages.take(connection, message)) counters.refusedMessages += 1;
        }
      } catch (error) {
        counters.refusedMessages += 1;
        stream.removeAllListeners('data');
        stream.resume();
        const status = error instanceof FrameError ? String(error.grpcStatus) : STATUS.internal;
        stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }));
        stream.end();
      }
    });
    stream.on('close', () => connection.detach(stream));
    // The client ended its half, so status 0 misleads nobody here.
    stream.on('end', () => {
      if (stream.writableEnded || stream.destroyed) return;
      stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': STATUS.ok }));
      stream.end();
    });
  }

  #onClosed(connection: GrpcConnection): void {
    this.#options.connections.delete(connection.id);
    this.#options.watches.forget(connection);
    this.#release(connection, 'connection-closed');
  }

  #release(connection: GrpcConnection, cause: 'connection-closed' | 'connection-silent'): void {
    this.#options.registry.step({ type: 'connection-closed', connection: connection.id, cause });
  }

  #look(): void {
    const { connections, registry, settings } = this.#options;
    const now = registry.now().mono;
    this.#options.watches.resend(now);
    for (const connection of connections.values()) {
      const { stalledSince, waitingBytes } = connection;
      if (waitingBytes > settings.waitingBytes) this.#end(connection, 'waiting-bytes', 'at-once');
      else if (stalledSince !== undefined && now - stalledSince >= settings.stalledMs)
        this.#end(connection, 'stalled', 'at-once');
      else this.#askOrGiveUp(connection, now);
    }
  }

  #askOrGiveUp(connection: GrpcConnection, now: number): void {
    const verdict = connection.idle.check(now);
    if (verdict === 'alive' || (verdict === 'ask' && connection.askForSign(now))) return;
    this.#release(connection, 'connection-silent');
    this.#end(connection, 'silent');
  }

  #end(connection: GrpcConnection, reason: CloseReason, how: 'politely' | 'at-once' = 'politely'): void {
    const { counters, logger } = this.#options;
    counters.countClosed(reason);
    logger.log('info', 'connection-ended', { connection: connection.id, reason });
    if (how === 'at-once') connection.session.destroy();
    else connection.close();
  }
}

function respond(stream: ServerHttp2Stream, message: Message): void {
  if (stream.destroyed) return;
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': STATUS.ok }));
  stream.respond(CONTENT, { waitForTrailers: true });
  stream.end(frameMessage(encodePayload(message.type, message.json)));
}

function endWith(stream: ServerHttp2Stream, status: string, text: string): void {
  if (stream.destroyed || stream.headersSent) return;
  stream.respond({ ...CONTENT, 'grpc-status': status, 'grpc-message': encodeURIComponent(text) }, { endStream: true });
  stream.resume();
}
