// A small HTTP proxy between a client and the server, which notes every exchange with its times: so a beat is seen from
// outside, without a word of the client. It changes nothing but the Host header's port, and the UDP port when asked to; list
// queries can be cut off for a while.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { ServerEndpoint } from './server-endpoint.js';

/** One exchange that passed. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Query parameters as sent. */
  readonly query: URLSearchParams;
  /** Wall-clock time when the request was passed on, in milliseconds. */
  readonly sentAtMs: number;
  /** Wall-clock time when the answer was complete. */
  readonly answeredAtMs: number;
  readonly status: number;
  readonly body: string;
}

/** What a proxy changes. */
export interface ProxyOptions {
  /** UDP port that list queries name to the server instead of the client's: datagrams then go astray. */
  readonly udpPort?: number;
  /** Told of the UDP port that a client named. */
  readonly onUdpPort?: (port: number) => void;
}

/** A running proxy. */
export class ObservingProxy {
  readonly #server: Server;
  readonly #target: ServerEndpoint;
  readonly #options: ProxyOptions;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #exchanges: Exchange[] = [];
  #cutsLists = false;

  private constructor(target: ServerEndpoint, options: ProxyOptions) {
    this.#target = target;
    this.#options = options;
    this.#server = createServer((incoming, outgoing) => this.#pass(incoming, outgoing));
  }

  /** Starts a proxy on a free port of the loopback address. */
  static async start(target: ServerEndpoint, options: ProxyOptions = {}): Promise<ObservingProxy> {
    const proxy = new ObservingProxy(target, options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Where clients reach the server through the proxy. */
  get endpoint(): ServerEndpoint {
    const address = this.#server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    return { ...this.#target, host: '127.0.0.1', port };
  }

  /** Everything that was answered so far, in order of the answers. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** From now on a connection that asks for a list is cut instead, as when the network fails. */
  cutLists(): void {
    this.#cutsLists = true;
  }

  /** Lists pass again. */
  passLists(): void {
    this.#cutsLists = false;
  }

  /** The beats that were answered so far, in order of their answers. */
  get beats(): readonly Exchange[] {
    return this.#exchanges.filter(({ path }) => path.endsWith('/instance/beat'));
  }

  /** Closes all connections. */
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  #withUdpPort(path: string): string {
    const { udpPort, onUdpPort } = this.#options;
    const named = /(?<=[?&]udpPort=)[1-9]\d*/.exec(path)?.[0];
    if (udpPort === undefined || named === undefined) return path;
    onUdpPort?.(Number(named));
    return path.replace(/(?<=[?&]udpPort=)[1-9]\d*/, String(udpPort));
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { host, port } = this.#target;
    const sentAtMs = Date.now();
    const { method = 'GET', url: path = '/' } = incoming;
    if (this.#cutsLists && path.includes('/instance/list')) {
      incoming.socket.destroy();
      return;
    }
    const url = this.#withUdpPort(path);
    const forwarded = request(
      { host, port, method, path: url, headers: { ...incoming.headers, host: `${host}:${port}` }, agent: this.#agent },
      (response) => {
        const parts: Buffer[] = [];
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('end', () => {
          const { pathname, searchParams } = new URL(url, 'http://proxy');
          const status = response.statusCode ?? 0;
          const body = Buffer.concat(parts).toString();
          const answeredAtMs = Date.now();
          this.#exchanges.push({ method, path: pathname, query: searchParams, sentAtMs, answeredAtMs, status, body });
        });
        response.pipe(outgoing);
      },
    );
    // The server is away, or the client gave up: the client sees a broken connection, as without a proxy.
    forwarded.once('error', () => incoming.socket.destroy());
    outgoing.once('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }
}
