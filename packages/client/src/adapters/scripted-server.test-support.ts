// An HTTP server that answers as a test says, and remembers what it was asked.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it came. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer: text for status 200, or status and text; `hang` never answers, `reset` cuts the connection. */
export type Scripted =
  | string
  | {
      readonly status?: number;
      readonly body?: string | Buffer;
      readonly headers?: Record<string, string>;
      readonly delayMs?: number;
    }
  | 'hang'
  | 'reset';

/** What a server of 1.4.8 says when all is well. */
export function usualAnswer({ method, path, query }: Pick<Received, 'method' | 'path' | 'query'>): Scripted {
  if (path.endsWith('/beat')) return '{"clientBeatInterval":5000,"code":10200,"lightBeatEnabled":true}';
  if (path.endsWith('/list') && path.includes('/instance/'))
    return `{"name":"${query.get('serviceName')}","clusters":"","cacheMillis":10000,"hosts":[],"lastRefTime":1}`;
  if (path.endsWith('/metrics')) return '{"status":"UP"}';
  return method === 'GET' ? { status: 404, body: 'caused: no;' } : 'ok';
}

export class ScriptedServer {
  readonly received: Received[] = [];
  /** Decides the answers; tests replace it. */
  answer: (request: Received, count: number) => Scripted = usualAnswer;
  /** Most connections that were open at once. */
  connectionsMax = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    let open = 0;
    server.on('connection', (socket) => {
      this.connectionsMax = Math.max(this.connectionsMax, ++open);
      socket.once('close', () => open--);
    });
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = new URL(request.url ?? '', 'http://server');
        const received: Received = {
          method: request.method ?? '',
          path: url.pathname,
          query: url.searchParams,
          rawQuery: url.search,
          headers: request.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        };
        this.received.push(received);
        send(response, this.answer(received, this.received.length));
      });
    });
  }

  static async start(port = 0, host = '127.0.0.1'): Promise<ScriptedServer> {
    const server = createServer();
    const scripted = new ScriptedServer(server);
    server.listen(port, host);
    await once(server, 'listening');
    return scripted;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Requests so far to a path that ends like this. */
  to(end: string, method?: string): Received[] {
    return this.received.filter(({ path, method: used }) => path.endsWith(end) && (method ?? used) === used);
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

function send(response: ServerResponse, answer: Scripted): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status = 200, body = '', headers = {}, delayMs = 0 } = typeof answer === 'string' ? { body: answer } : answer;
  setTimeout(() => response.writeHead(status, headers).end(body), delayMs);
}
