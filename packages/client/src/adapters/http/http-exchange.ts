// One request and its answer over HTTP/1.1, on a bounded pool of connections per server. Bytes in, bytes out: what they
// mean is for the callers. undici's dispatch is used without its promises and streams, to keep a beat cheap.

import { gunzipSync, inflateSync } from 'node:zlib';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import { ClientError } from '../../core/client-error.js';
import { plainIp } from '../plain-ip.js';
import type { ServerAddress } from '../server-address.js';
import type { TlsOptions } from '../tls-options.js';

/** How connections are made. */
export interface ExchangeOptions {
  /** Longest time for a connection, ms. */
  readonly connectTimeoutMs: number;
  /** Connections to one server at once. */
  readonly connectionsMax: number;
  readonly tls: TlsOptions;
}

/** One request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  readonly body?: string | undefined;
}

/** One answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** Value of a header, name in lower case; undefined when absent. */
  header(name: string): string | undefined;
  /** IP address that answered. */
  readonly remote: string;
}

/** Bytes of an answer, unpacked, that are read; a list of 100,000 instances has about 30 MB. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Idle connections are kept this long unless the server says otherwise, ms: longer than the 5 s between two beats. */
const KEEP_ALIVE_MS = 30_000;

/** The connections of a client to its servers. */
export class HttpExchange {
  readonly #options: ExchangeOptions;
  readonly #pools = new Map<string, { readonly pool: Pool; remote: string }>();
  #closed = false;

  /** @param options - connection bounds and TLS */
  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /**
   * Sends a request.
   *
   * @throws ClientError (as rejection): `unreachable` without an answer, `deadline-exceeded`, `aborted`, `closed`,
   *   `unexpected-answer` for a body that is too long or cannot be unpacked
   */
  send(
    server: ServerAddress,
    request: HttpRequest,
    bounds: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<HttpAnswer> {
    if (this.#closed) return Promise.reject(closedError());
    const entry = this.#poolOf(server);
    return new Promise((resolve, reject) => {
      const handler = new AnswerHandler(server, () => entry.remote, resolve, reject, bounds);
      entry.pool.dispatch(
        {
          method: request.method,
          path: request.path,
          headers: request.headers as string[],
          body: request.body ?? null,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      );
    });
  }

  /** Drops the connections to servers that are not in the list any more. */
  keepOnly(origins: ReadonlySet<string>): void {
    for (const [origin, { pool }] of this.#pools) {
      if (origins.has(origin)) continue;
      this.#pools.delete(origin);
      pool.destroy(closedError()).catch(() => {}); // Nothing is left to be done about a connection that will not close.
    }
  }

  /** Ends all connections; requests under way are rejected with `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy(closedError())));
  }

  #poolOf(server: ServerAddress): { readonly pool: Pool; remote: string } {
    const known = this.#pools.get(server.origin);
    if (known !== undefined) return known;
    const { connectTimeoutMs, connectionsMax, tls } = this.#options;
    const connectOne = buildConnector({ timeout: connectTimeoutMs, ...definedOf(tls) });
    const entry = {
      remote: server.host,
      pool: new Pool(server.origin, {
        connections: connectionsMax,
        pipelining: 1,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connect: (options, done) =>
          connectOne(options, (error, socket) => {
            if (socket?.remoteAddress !== undefined) entry.remote = plainIp(socket.remoteAddress);
            if (error === null) done(null, socket);
            else done(error, null);
          }),
      }),
    };
    this.#pools.set(server.origin, entry);
    return entry;
  }
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #server: ServerAddress;
  readonly #remote: () => string;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: ClientError) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void =>
    this.#stop(new ClientError('aborted', 'The call was aborted', { cause: this.#signal?.reason }));
  #controller: Dispatcher.DispatchController | undefined;
  #stopped: ClientError | undefined;
  #status = 0;
  #headers: Record<string, string | string[] | undefined> = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    server: ServerAddress,
    remote: () => string,
    resolve: (answer: HttpAnswer) => void,
    reject: (error: ClientError) => void,
    bounds: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ) {
    this.#server = server;
    this.#remote = remote;
    this.#resolve = resolve;
    this.#reject = reject;
    // The socket keeps the process alive as long as an answer may come.
    this.#timer = setTimeout(() => this.#stop(this.#late(bounds.timeoutMs)), bounds.timeoutMs).unref();
    this.#signal = bounds.signal;
    if (this.#signal?.aborted) this.#onAbort();
    else this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped !== undefined) controller.abort(this.#stopped);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > ANSWER_BYTES_MAX) this.#stop(this.#unreadable(`it has more than ${ANSWER_BYTES_MAX} bytes`));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#release();
    const headers = this.#headers;
    const header = (name: string): string | undefined => {
      const value = headers[name];
      return typeof value === 'string' ? value : value?.[0];
    };
    try {
      const body = unpacked(Buffer.concat(this.#chunks), header('content-encoding'));
      this.#resolve({ status: this.#status, body, header, remote: this.#remote() });
    } catch (cause) {
      this.#reject(this.#unreadable('its body cannot be unpacked', cause));
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#release();
    this.#reject(error instanceof ClientError ? error : unreachable(this.#server, error));
  }

  #stop(error: ClientError): void {
    this.#stopped = error;
    this.#release();
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #late(timeoutMs: number): ClientError {
    return new ClientError('deadline-exceeded', `"${this.#server.name}" did not answer within ${timeoutMs} ms`, {
      server: this.#server.name,
    });
  }

  #unreadable(reason: string, cause?: unknown): ClientError {
    const message = `The answer of "${this.#server.name}" cannot be read: ${reason}`;
    return new ClientError('unexpected-answer', message, { server: this.#server.name, status: this.#status, cause });
  }
}

function unpacked(body: Buffer, encoding: string | undefined): string {
  const bounds = { maxOutputLength: ANSWER_BYTES_MAX };
  switch (encoding) {
    case 'gzip':
      return gunzipSync(body, bounds).toString('utf8');
    case 'deflate':
      return inflateSync(body, bounds).toString('utf8');
    default:
      return body.toString('utf8');
  }
}

function unreachable(server: ServerAddress, cause: Error): ClientError {
  const code = (cause as NodeJS.ErrnoException).code;
  const text = code === undefined || cause.message.includes(code) ? cause.message : `${cause.message} (${code})`;
  return new ClientError('unreachable', `"${server.name}" cannot be reached: ${text}`, { server: server.name, cause });
}

function closedError(): ClientError {
  return new ClientError('closed', 'The client is closed');
}

function definedOf<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
