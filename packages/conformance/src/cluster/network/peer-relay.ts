// One way from a node to another: takes its connections and passes their bytes on, both ways, until it is told to be silent.
// Its port is closed while the port of the node is, so that whoever dials is refused as by the node.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where a relay stands. */
export interface PeerRelayPlan {
  /** Index of the node that dials. */
  readonly from: number;
  /** Index of the node that is dialled. */
  readonly to: number;
  readonly host: string;
  /** Port that is dialled. */
  readonly listen: number;
  /** Port on which the node listens. */
  readonly target: number;
}

const CLOSED_POLL_MS = 50;

/** A relay. */
export class PeerRelay {
  readonly from: number;
  readonly to: number;
  readonly #plan: PeerRelayPlan;
  readonly #server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  /** Connections that came during a silence; whoever dials must not be told that nobody is there. */
  readonly #waiting = new Set<Socket>();
  #isSilent = false;
  #isClosed = false;

  constructor(plan: PeerRelayPlan) {
    this.from = plan.from;
    this.to = plan.to;
    this.#plan = plan;
  }

  /** Starts to listen. Rejects with the error of the system. */
  async listen(): Promise<void> {
    this.#server.listen(this.#plan.listen, this.#plan.host);
    await once(this.#server, 'listening');
  }

  /** Passes nothing on from now on; what is open stays open. */
  silence(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Passes on what waited, and everything from now on. */
  resume(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.resume();
    for (const socket of this.#waiting) this.#join(socket);
    this.#waiting.clear();
  }

  /** Closes everything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const socket of [...this.#sockets, ...this.#waiting]) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    socket.on('error', () => undefined);
    socket.pause();
    if (!this.#isSilent) this.#join(socket);
    else {
      this.#waiting.add(socket);
      socket.once('close', () => this.#waiting.delete(socket));
    }
  }

  #join(socket: Socket): void {
    if (socket.destroyed) return;
    const target = this.#dial();
    target.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') void this.#closeWithTarget();
    });
    this.#forward(socket, target);
    this.#forward(target, socket);
  }

  async #closeWithTarget(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    while (!this.#isClosed && !(await this.#isTargetOpen())) await sleep(CLOSED_POLL_MS, undefined, { ref: false });
    if (!this.#isClosed) await this.listen();
  }

  async #isTargetOpen(): Promise<boolean> {
    const probe = this.#dial();
    const isOpen = await once(probe, 'connect').then(
      () => true,
      () => false,
    );
    probe.destroy();
    return isOpen;
  }

  #dial(): Socket {
    return connect({ host: this.#plan.host, port: this.#plan.target, allowHalfOpen: true });
  }

  #forward(source: Socket, sink: Socket): void {
    this.#sockets.add(source);
    source.on('error', () => undefined);
    source.on('data', (part) => {
      if (!sink.write(part)) source.pause();
    });
    if (!this.#isSilent) source.resume();
    sink.on('drain', () => {
      if (!this.#isSilent) source.resume();
    });
    source.once('end', () => sink.end());
    source.once('close', () => {
      this.#sockets.delete(source);
      sink.destroySoon();
    });
  }
}
