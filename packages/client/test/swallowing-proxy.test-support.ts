// A TCP proxy that becomes a black hole: connections stay open, nothing comes through.

import { once } from 'node:events';
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';

/** Forwards connections until it is told to swallow what goes over those that exist. */
export class SwallowingProxy {
  readonly #server: Server;
  readonly #pairs = new Set<[Socket, Socket]>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(port: number): Promise<SwallowingProxy> {
    const server = createServer();
    const proxy = new SwallowingProxy(server);
    server.on('connection', (incoming) => {
      const outgoing = connectSocket(port, '127.0.0.1');
      for (const socket of [incoming, outgoing]) socket.on('error', () => {});
      incoming.pipe(outgoing).pipe(incoming);
      proxy.#pairs.add([incoming, outgoing]);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  swallow(): void {
    for (const [incoming, outgoing] of this.#pairs) {
      incoming.unpipe(outgoing);
      incoming.resume();
    }
  }

  close(): void {
    this.#server.close();
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }
}
