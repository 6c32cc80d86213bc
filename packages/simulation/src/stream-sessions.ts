// The connections of 2.x clients as nodes know them: opened by a client, ended by it, by silence, or with the process.
// Stands for the gRPC adapter: what a core hears of connections is what it tells.

import type { SimNode } from './sim-node.js';
import type { World } from './world.js';

/** A connection that nothing was heard of for this long is over (as the adapter's: 20 s). */
const SILENT_MS = 20_000;
const LOOK_MS = 3000;

/** One connection. */
interface Session {
  readonly node: SimNode;
  readonly run: number;
  heardAt: number;
}

/** All connections of a history. */
export class StreamSessions {
  readonly #world: World;
  readonly #sessions = new Map<string, Session>();

  constructor(world: World) {
    this.#world = world;
    world.crashListeners.push((node) => {
      for (const [id, session] of this.#sessions) if (session.node === node) this.#sessions.delete(id);
    });
  }

  /** A client opened a connection to a node. */
  open(id: string, node: SimNode): void {
    const session = { node, run: node.run, heardAt: this.#world.now };
    this.#sessions.set(id, session);
    this.#lookLater(id, session);
  }

  /** Something came over a connection. @returns whether the node knows it */
  heard(id: string): boolean {
    const session = this.#sessions.get(id);
    if (session === undefined) return false;
    session.heardAt = this.#world.now;
    return true;
  }

  /** A connection is over. */
  close(id: string, cause: 'connection-closed' | 'connection-silent'): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    this.#world.trace.tell(this.#world.now, () => `node ${session.node.index} ends connection ${id} (${cause})`);
    session.node.step({ type: 'connection-closed', connection: id, cause });
  }

  #lookLater(id: string, session: Session): void {
    this.#world.queue.after(LOOK_MS, () => {
      if (this.#sessions.get(id) !== session) return;
      const isSilent = this.#world.now - session.heardAt > SILENT_MS;
      // A process that stands still looks at nothing; when it goes on, what waited is heard first.
      if (isSilent && session.node.state === 'running') this.close(id, 'connection-silent');
      else this.#lookLater(id, session);
    });
  }
}
