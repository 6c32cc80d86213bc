// Ends a listening server without cutting what it is doing: no new connections, idle ones closed, the rest may finish until a
// deadline. Works for `net`, `http`, `https` and `http2`, whose sessions are asked to end.

import type { Server, Socket } from 'node:net';

/** What was still going on. */
export interface DrainReport {
  /** From the end of accepting until everything was closed, ms. */
  readonly drainMs: number;
  /** Connections that were cut at the deadline. */
  readonly cut: number;
}

/** What servers of `http` can do besides. */
interface HttpServer extends Server {
  closeIdleConnections?(): void;
  closeAllConnections?(): void;
}

/** A session of `http2`. */
interface Closable {
  close(): void;
  readonly closed?: boolean;
}

const LOOK_MS = 25;
const LAST_MS = 100;

/** Watches the connections of a server, so that they can be ended. */
export class ServerDrain {
  readonly #server: HttpServer;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<Closable>();

  /** Create it before the server has connections: those that were there before are not known at the deadline. */
  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('session', (session: Closable & { once(event: 'close', listener: () => void): void }) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
  }

  /** Ends the server. @param deadlineMs - after it what is left is cut */
  end(deadlineMs: number): Promise<DrainReport> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      let cut = 0;
      const look = setInterval(() => this.#closeIdle(), LOOK_MS);
      const deadline = setTimeout(() => {
        cut = this.#sockets.size;
        for (const socket of this.#sockets) socket.destroy();
        this.#server.closeAllConnections?.();
        // A connection from before this watch cannot be cut, and must not hold up the end.
        last = setTimeout(ended, LAST_MS);
      }, deadlineMs);
      let last: NodeJS.Timeout | undefined;
      const ended = (): void => {
        clearInterval(look);
        clearTimeout(deadline);
        clearTimeout(last);
        resolve({ drainMs: Math.round(performance.now() - startedAt), cut });
      };
      // A server that is closed already calls back with an error, which means the same here.
      this.#server.close(ended);
      for (const session of this.#sessions) session.close();
      this.#closeIdle();
    });
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections?.();
  }
}
