// A client as the golden cases need it: one HTTP/2 connection whose every message is ours to choose. No SDK sends what
// some cases send.

import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Json } from '../golden/exact-json.js';
import type { GrpcConnectionPlan, GrpcStep, PushAnswer } from './grpc-case.js';
import {
  frameOf,
  onMessages,
  type PayloadParts,
  type ReceivedPayload,
  readPayload,
  writePayload,
} from './grpc-payload.js';

/** What a unary call gave. */
export type UnaryReply =
  | { readonly payload: ReceivedPayload }
  | { readonly grpcStatus: number }
  | { readonly httpStatus: number }
  | { readonly contentType: string }
  | { readonly rst: number }
  | { readonly noAnswer: true }
  | { readonly closed: true };

/** A push that came in. `atMs` is wall time. */
export interface ReceivedPush extends ReceivedPayload {
  readonly atMs: number;
}

/** Where a connection goes. */
export interface GrpcTarget {
  readonly host: string;
  readonly port: number;
  /** Longest wait for the connection, in milliseconds; 15 s by default. */
  readonly connectTimeoutMs?: number;
}

/** How the stream ended. */
export interface StreamEnd {
  readonly atMs: number;
  readonly grpcStatus: number | undefined;
  readonly rst: number;
}

const CALL_TIMEOUT_MS = 15_000;
const STREAM_PATH = '/BiRequestStream/requestBiStream';
const CLIENT_IP = '127.0.0.1';
const POLITE_CLOSE_MS = 300;
const ACKNOWLEDGEMENTS: Readonly<Record<string, string>> = {
  NotifySubscriberRequest: 'NotifySubscriberResponse',
  ClientDetectionRequest: 'ClientDetectionResponse',
  ConnectResetRequest: 'ConnectResetResponse',
  NamingFuzzyWatchSyncRequest: 'NamingFuzzyWatchChangeNotifyResponse',
  NamingFuzzyWatchChangeNotifyRequest: 'NamingFuzzyWatchChangeNotifyResponse',
};

/** One connection. */
export class GrpcPeer {
  /** Pushes that no step has taken yet. */
  inbox: ReceivedPush[] = [];
  id: string | undefined;
  streamEnd: StreamEnd | undefined;
  readonly port: number | undefined;
  readonly #session: ClientHttp2Session;
  readonly #acknowledges: boolean;
  readonly #waiters = new Set<() => void>();
  #stream: ClientHttp2Stream | undefined;

  private constructor(session: ClientHttp2Session, plan: GrpcConnectionPlan) {
    this.#session = session;
    this.#acknowledges = plan.ack !== false;
    this.port = session.socket?.localPort;
    session.on('close', () => this.#wake());
  }

  /** Connects; a connection that is refused, or not there in time, is one that is closed. */
  static open(target: GrpcTarget, plan: GrpcConnectionPlan): Promise<GrpcPeer> {
    const session = connect(`http://${target.host}:${target.port}`);
    // Errors end the session, which the steps see.
    session.on('error', () => {});
    const timer = setTimeout(() => session.destroy(), target.connectTimeoutMs ?? CALL_TIMEOUT_MS);
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        resolve(new GrpcPeer(session, plan));
      };
      session.once('connect', done).once('close', done);
    });
  }

  get isClosed(): boolean {
    return this.#session.closed || this.#session.destroyed;
  }

  /** A unary call with a payload. */
  request(parts: PayloadParts, options: Pick<GrpcStep, 'timeoutMs'> = {}): Promise<UnaryReply> {
    return this.call('/Request/request', writePayload({ clientIp: CLIENT_IP, ...parts }), options);
  }

  /** A unary call of any path. @param message - undefined sends none */
  call(
    path: string,
    message: Uint8Array | undefined,
    options: Pick<GrpcStep, 'flag' | 'http2Headers' | 'twice' | 'timeoutMs'>,
  ): Promise<UnaryReply> {
    const stream = this.isClosed ? undefined : this.#begin(path, options.http2Headers);
    if (stream === undefined) return Promise.resolve({ closed: true });
    const reply = this.#replyOf(stream, options.timeoutMs ?? CALL_TIMEOUT_MS);
    if (message !== undefined)
      for (let n = options.twice ? 2 : 1; n > 0; n -= 1) stream.write(frameOf(message, options.flag));
    stream.end();
    return reply;
  }

  /** Writes to the stream, which is opened when there is none. @returns whether it takes anything */
  write(parts: PayloadParts): boolean {
    if (this.#stream === undefined) this.reopen();
    const stream = this.#stream;
    if (stream === undefined || stream.closed || stream.destroyed || stream.writableEnded) return false;
    stream.write(frameOf(writePayload({ clientIp: CLIENT_IP, ...parts })));
    return true;
  }

  /** Opens a new stream, beside one that may still be there. */
  reopen(): void {
    this.streamEnd = undefined;
    this.#stream = undefined;
    if (this.isClosed) return;
    const stream = this.#begin(STREAM_PATH);
    this.#stream = stream;
    let contentType = '';
    let grpcStatus: number | undefined;
    const read = (headers: IncomingHttpHeaders): void => {
      contentType = headers['content-type'] ?? contentType;
      if (headers['grpc-status'] !== undefined) grpcStatus = Number(headers['grpc-status']);
    };
    const over = (): void => {
      if (this.#stream === stream) this.streamEnd ??= { atMs: Date.now(), grpcStatus, rst: stream.rstCode ?? 0 };
      this.#wake();
    };
    stream.on('response', read).on('trailers', read);
    stream.on('close', over).on('end', () => {
      if (grpcStatus !== undefined) over();
      if (!stream.writableEnded) stream.end();
    });
    stream.on(
      'data',
      onMessages((message) => this.#receive(message, contentType)),
    );
  }

  /** Answers a push. */
  answer(push: ReceivedPush, answer: PushAnswer = {}): void {
    const type = answer.type ?? ACKNOWLEDGEMENTS[push.type];
    const { requestId } = JSON.parse(push.body) as { requestId?: string };
    if (type === undefined || requestId === undefined) return;
    const body = withChanges({ resultCode: 200, errorCode: 0, requestId, success: true }, answer.body ?? {});
    this.write({ type, body: Buffer.from(JSON.stringify(body)) });
  }

  /** Waits until something is there. @returns undefined when it is not in time */
  async until<T>(find: () => T | undefined, timeoutMs: number): Promise<T | undefined> {
    const endsAtMs = Date.now() + timeoutMs;
    for (;;) {
      const found = find();
      const leftMs = endsAtMs - Date.now();
      if (found !== undefined || leftMs <= 0) return found;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#waiters.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, leftMs);
        this.#waiters.add(wake);
      });
    }
  }

  /** Ends the connection (`tcp`: at once, `polite`: with GOAWAY) or only its stream (`end`, `reset`). */
  close(how: NonNullable<GrpcStep['how']>): void {
    if (how === 'end') this.#stream?.end();
    else if (how === 'reset') this.#stream?.close(constants.NGHTTP2_CANCEL);
    else if (how === 'tcp') this.#session.destroy();
    else {
      this.#stream?.end();
      this.#session.close();
      setTimeout(() => this.#session.destroy(), POLITE_CLOSE_MS).unref();
    }
  }

  #begin(path: string, changes: Readonly<Record<string, string | null>> = {}): ClientHttp2Stream {
    const headers: Record<string, string> = {
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': 'rollcall-conformance',
    };
    const stream = this.#session.request(withChanges(headers, changes) as Record<string, string>, { endStream: false });
    // A reset is an outcome like any other; the close event tells.
    return stream.on('error', () => {});
  }

  #replyOf(stream: ClientHttp2Stream, timeoutMs: number): Promise<UnaryReply> {
    let payload: ReceivedPayload | undefined;
    let seen: IncomingHttpHeaders = {};
    let isSilent = false;
    const read = (headers: IncomingHttpHeaders): void => {
      seen = { ...seen, ...headers };
    };
    stream.on('response', read).on('trailers', read);
    stream.on(
      'data',
      onMessages((message) => {
        payload ??= readPayload(message);
      }),
    );
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        isSilent = true;
        stream.close(constants.NGHTTP2_CANCEL);
        stream.destroy();
      }, timeoutMs);
      // A server may end a call before it has read all of it. Node then waits for its own side to be written, which nobody reads.
      stream.once('end', () => seen['grpc-status'] !== undefined && setImmediate(() => stream.destroy()));
      stream.once('close', () => {
        clearTimeout(timer);
        resolve(isSilent ? { noAnswer: true } : this.#outcome(payload, seen, stream.rstCode ?? 0));
      });
    });
  }

  #outcome(payload: ReceivedPayload | undefined, headers: IncomingHttpHeaders, rst: number): UnaryReply {
    const contentType = headers['content-type'] ?? '';
    const grpcStatus = headers['grpc-status'];
    if (payload !== undefined && grpcStatus === '0')
      return contentType.startsWith('application/grpc') ? { payload } : { contentType };
    if (grpcStatus !== undefined) return { grpcStatus: Number(grpcStatus) };
    const httpStatus = Number(headers[':status'] ?? 200);
    if (httpStatus !== 200) return { httpStatus };
    // A call that crossed the server's GOAWAY is reset here, as refused: the connection is closed, not the call answered.
    return rst !== 0 && !this.isClosed ? { rst } : { closed: true };
  }

  #receive(message: Buffer, contentType: string): void {
    const { type, body } = readPayload(message);
    const isGrpc = contentType.startsWith('application/grpc');
    const push = { type: isGrpc ? type : `${type} as "${contentType}"`, body, atMs: Date.now() };
    this.inbox.push(push);
    if (this.#acknowledges) this.answer(push);
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiters]) wake();
  }
}

/** An object with some members changed; null takes one out. */
export function withChanges(
  object: Readonly<Record<string, Json>>,
  changes: Readonly<Record<string, Json>>,
): Record<string, Json> {
  return Object.fromEntries(Object.entries({ ...object, ...changes }).filter(([, value]) => value !== null));
}
