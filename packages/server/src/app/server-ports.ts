// The ports of a server: the main one, on which everything is served, and the one that gRPC clients compute from it.

import type { PortListener } from '../adapters/http/port-listener.js';
import type { Config } from './config-schema.js';
import { type ListenAddress, listenError } from './listen-address.js';

const PORT_MAX = 65535;
/** Free main ports that are tried until the one beside it is free as well. */
const TRIES_MAX = 20;

/** Which ports are wanted. */
export type WantedPorts = Pick<Config, 'host' | 'port' | 'grpcPortOffset'>;

/** Listens on all ports or on none. */
export class ServerPorts {
  readonly #newListener: () => PortListener;
  #listeners: PortListener[] = [];

  /** @param newListener - makes a listener; both ports serve the same */
  constructor(newListener: () => PortListener) {
    this.#newListener = newListener;
  }

  /**
   * Starts to listen. With port 0 a main port is taken whose companion is free too.
   *
   * @returns the main address
   * @throws StartError that names the port which could not be taken
   */
  async listen(wanted: WantedPorts): Promise<ListenAddress> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#listenOnce(wanted);
      } catch (error) {
        await this.close({ graceMs: 0 });
        if (wanted.port !== 0 || tries >= TRIES_MAX) throw error;
      }
    }
  }

  /** Stops listening. @param options.graceMs - after this the connections that are left are cut */
  async close(options: { readonly graceMs: number }): Promise<void> {
    const listeners = this.#listeners;
    this.#listeners = [];
    await Promise.all(listeners.map((listener) => listener.close(options)));
  }

  async #listenOnce({ host, port, grpcPortOffset }: WantedPorts): Promise<ListenAddress> {
    const main = await this.#add(host, port);
    if (grpcPortOffset > 0) await this.#add(host, main.port + grpcPortOffset);
    return main;
  }

  async #add(host: string, port: number): Promise<ListenAddress> {
    const listener = this.#newListener();
    try {
      if (port > PORT_MAX) throw new RangeError(`Port ${port} is above ${PORT_MAX}`);
      const bound = await listener.listen({ host, port });
      this.#listeners.push(listener);
      return { ip: bound.address, port: bound.port };
    } catch (error) {
      throw listenError(host, port, error);
    }
  }
}
