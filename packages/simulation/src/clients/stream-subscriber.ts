// What one connection has been told of the services that it subscribes to: by the answer to its subscription, and by
// pushes, which it acknowledges.

import type { ServiceKey } from '@rollcall/protocol';
import type { ServiceView } from '@rollcall/server/internal';
import type { SimNode } from '../sim-node.js';
import type { PushReceiver, World } from '../world.js';

/** A subscriber. */
export class StreamSubscriber implements PushReceiver {
  readonly machine: string;
  readonly services: readonly ServiceKey[];
  readonly #world: World;
  readonly #told = new Map<string, ServiceView>();
  #connection: string | undefined;
  #node: SimNode | undefined;

  constructor(world: World, machine: string, services: readonly ServiceKey[]) {
    this.#world = world;
    this.machine = machine;
    this.services = services;
  }

  /** The list that it was told last over its present connection. */
  told(service: ServiceKey): ServiceView | undefined {
    return this.#told.get(service.id);
  }

  /** It has a connection. */
  connected(connection: string, node: SimNode): void {
    this.#connection = connection;
    this.#node = node;
    this.#world.receivers.set(connection, this);
  }

  /** It has none. */
  disconnected(): void {
    if (this.#connection !== undefined) this.#world.receivers.delete(this.#connection);
    this.#connection = undefined;
    this.#told.clear();
  }

  /** Runs at the node. @returns the list in the answer; undefined when the service does not exist */
  subscribe(service: ServiceKey, connection: string, node: SimNode): ServiceView | undefined {
    node.step({
      type: 'subscribe-stream',
      service,
      connection,
      clusters: '',
      agent: 'simulated-2.x',
      app: '',
      ip: this.machine,
    });
    return node.core?.view(service.id);
  }

  /** Its subscription was answered; a service that does not exist has no list. */
  answered(view: ServiceView | undefined): void {
    if (view !== undefined) this.#learn(view);
  }

  receivePush({ subscriber, view, number }: Parameters<PushReceiver['receivePush']>[0]): void {
    const { connection } = subscriber;
    const node = this.#node;
    if (connection !== this.#connection || node === undefined) return;
    this.#learn(view);
    const acknowledgement = { from: this.machine, to: node.id, bytes: 60, delivery: 'stream' } as const;
    this.#world.network.send(acknowledgement, () =>
      node.deliver(() => node.step({ type: 'stream-ack', connection, number, success: true })),
    );
  }

  /** As SDKs do: an older list never replaces a newer one. */
  #learn(view: ServiceView): void {
    const known = this.#told.get(view.key.id);
    if (known === undefined || known.refTime < view.refTime) this.#told.set(view.key.id, view);
  }
}
