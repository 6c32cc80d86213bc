// One HTTP/2 connection with gRPC's framing on it: unary calls, and one stream in both directions. Payloads in, payloads out:
// what they mean is for the callers. Source: gRPC over HTTP/2 specification; contract grpc-2x 2 and 4.

import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { decodePayload, encodePayload, frameMessage, MessageCutter, type Payload } from '@rollcall/protocol';
import { nodeTimers } from '@rollcall/runtime';
import { ClientError } from '../../core/client-error.js';
import { plainIp } from '../plain-ip.js';
import type { TlsOptions } from '../tls-options.js';

/** Where and how to connect. */
export interface GrpcChannelOptions {
  /** `http://host:port` or `https://host:port` of the gRPC port. */
  readonly origin: string;
  /** Name of the server in messages. */
  readonly server: string;
  readonly tls: TlsOptions;
  /** Whether the open connection keeps the process alive. */
  readonly keepsProcessAlive: boolean;
  /** The connection is gone, or of no more use; called once. */
  readonly gone: (reason: string) => void;
  /** Bytes came in. */
  readonly heard: () => void;
}

/** One message to send. */
export interface OutgoingPayload {
  readonly type: string;
  readonly json: string;
  readonly headers?: readonly (readonly [string, string])[] | undefined;
}

/** Bounds of a unary call. */
export interface UnaryBounds {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of one message that are taken; a list of 100,000 instances has about 30 MB. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes that a server may send ahead: a push of 10,000 instances in one go. */
const WINDOW_BYTES = 8 * 1024 * 1024;
/** What Node may hold for one connection, MB: not less than one message. */
const SESSION_MEMORY_MB = 96;

/** One connection. */
export class GrpcChannel {
  readonly #options: GrpcChannelOptions;
  readonly #session: ClientHttp2Session;
  readonly #calls = new Set<(error: ClientError) => void>();
  #stream: ClientHttp2Stream | undefined;
  #clientIp = '';
  #isGone = false;

  /** Begins to connect; calls may be made at once. @param options - see there */
  constructor(options: GrpcChannelOptions) {
    this.#options = options;
    const { ca, cert, key } = options.tls;
    const certificates = Object.fromEntries(
      Object.entries({ ca, cert, key }).filter(([, value]) => value !== undefined),
    );
    this.#session = connect(options.origin, {
      ...certificates,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
      maxSessionMemory: SESSION_MEMORY_MB,
    });
    this.#session.once('connect', (session: ClientHttp2Session, socket: Socket) => {
      this.#clientIp = plainIp(socket.localAddress ?? '');
      session.setLocalWindowSize(WINDOW_BYTES);
      if (!options.keepsProcessAlive) session.unref();
    });
    this.#session.on('error', (error: Error) => this.#end(textOf(error)));
    this.#session.on('goaway', (code: number) => this.#end(`the server said goodbye (code ${code})`));
    this.#session.on('close', () => this.#end('the connection was closed'));
  }

  /**
   * Makes a unary call.
   *
   * @throws ClientError (as rejection): `unreachable` without an answer, `deadline-exceeded`, `aborted`, `unexpected-answer`
   */
  unary(message: OutgoingPayload, { timeoutMs, signal }: UnaryBounds): Promise<Payload> {
    if (this.#isGone) return Promise.reject(this.#unreachable('the connection is gone'));
    if (signal?.aborted) return Promise.reject(abortedError(signal));
    return new Promise((resolve, reject) => {
      const stream = this.#request('/Request/request');
      const release = (): void => {
        timer.cancel();
        signal?.removeEventListener('abort', aborted);
        this.#calls.delete(fail);
      };
      const fail = (error: ClientError): void => {
        release();
        reject(error);
        stream.close(constants.NGHTTP2_CANCEL);
      };
      const aborted = (): void => fail(abortedError(signal));
      const timer = nodeTimers.once(timeoutMs, () => fail(this.#late(message.type, timeoutMs)));
      signal?.addEventListener('abort', aborted, { once: true });
      this.#calls.add(fail);
      this.#collect(stream, (answer) => {
        if (!this.#calls.has(fail)) return;
        if (answer instanceof ClientError) fail(answer);
        else {
          release();
          resolve(answer);
        }
      });
      stream.end(this.#framed(message));
    });
  }

  /** Opens the stream. Its end is the end of the connection. @param take - for each message that comes in */
  openStream(take: (payload: Payload) => void): void {
    const stream = this.#request('/BiRequestStream/requestBiStream');
    const cutter = new MessageCutter(MESSAGE_BYTES_MAX);
    stream.on('data', (chunk: Buffer) => {
      this.#options.heard();
      try {
        for (const message of cutter.push(chunk)) take(decodePayload(message));
      } catch (error) {
        this.#end(`a message cannot be read: ${textOf(error as Error)}`);
      }
    });
    stream.on('error', (error: Error) => this.#end(textOf(error)));
    stream.on('end', () => this.#end('the server ended the stream'));
    stream.on('close', () => this.#end('the stream was closed'));
    this.#stream = stream;
  }

  /** Sends a message on the stream. One that is gone takes nothing any more. */
  say(message: OutgoingPayload): void {
    if (!this.#isGone) this.#stream?.write(this.#framed(message));
  }

  /** Frees the socket; calls under way are rejected. */
  close(): void {
    this.#end('the connection was closed by this client');
  }

  #request(path: string): ClientHttp2Stream {
    return this.#session.request(
      { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' },
      { endStream: false },
    );
  }

  #framed({ type, json, headers }: OutgoingPayload): Uint8Array {
    return frameMessage(encodePayload(type, json, { headers, clientIp: this.#clientIp }));
  }

  #collect(stream: ClientHttp2Stream, ended: (answer: Payload | ClientError) => void): void {
    const cutter = new MessageCutter(MESSAGE_BYTES_MAX);
    let payload: Payload | undefined;
    let status = '';
    const takeStatus = (headers: Record<string, unknown>): void => {
      if (headers['grpc-status'] !== undefined) status = `${headers['grpc-status']} ${headers['grpc-message'] ?? ''}`;
      else if (headers[':status'] !== undefined && headers[':status'] !== 200) status = `HTTP ${headers[':status']}`;
    };
    stream.on('response', takeStatus);
    stream.on('trailers', takeStatus);
    stream.on('data', (chunk: Buffer) => {
      this.#options.heard();
      try {
        for (const message of cutter.push(chunk)) payload = decodePayload(message);
      } catch (cause) {
        ended(this.#unexpected(`it cannot be read: ${textOf(cause as Error)}`, cause));
      }
    });
    stream.on('error', (error: Error) => ended(this.#unreachable(textOf(error))));
    stream.on('close', () =>
      ended(payload ?? this.#unexpected(status === '' ? 'there is none' : `there is none, status "${status.trim()}"`)),
    );
  }

  #end(reason: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    for (const fail of [...this.#calls]) fail(this.#unreachable(reason));
    this.#stream?.end();
    this.#session.destroy();
    this.#options.gone(reason);
  }

  #unreachable(reason: string): ClientError {
    const { server } = this.#options;
    return new ClientError('unreachable', `"${server}" cannot be reached over gRPC: ${reason}`, { server });
  }

  #unexpected(found: string, cause?: unknown): ClientError {
    const { server } = this.#options;
    return new ClientError('unexpected-answer', `The answer of "${server}" over gRPC is of no use: ${found}`, {
      server,
      cause,
    });
  }

  #late(type: string, timeoutMs: number): ClientError {
    const { server } = this.#options;
    return new ClientError('deadline-exceeded', `"${server}" did not answer "${type}" within ${timeoutMs} ms`, {
      server,
    });
  }
}

function abortedError(signal: AbortSignal | undefined): ClientError {
  return new ClientError('aborted', 'The call was aborted', { cause: signal?.reason });
}

function textOf(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code;
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
