// What a caller holds for a registered instance.

import type { ServiceKey } from '@rollcall/protocol';
import type { InstanceOptions, RegisteredInstance } from '../core/instance.js';
import type { SubscribersTold } from '../core/registry-call.js';
import type { CallOptions } from './operations.js';

/** How an instance is taken out. */
export interface DeregisterOptions extends CallOptions {
  /** The server answers when all subscribers know, at most after this many ms, 0 to 30000. Default 0. Only Rollcall waits and tells. */
  readonly awaitSubscribersMs?: number | undefined;
}

/** Fields of an instance that can be changed while it is registered. */
export type InstanceUpdate = Pick<InstanceOptions, 'weight' | 'enabled' | 'metadata'>;

/** What the handle needs of its client. */
export interface RegistrationPort {
  register(service: ServiceKey, instance: RegisteredInstance, options: CallOptions): Promise<number>;
  deregister(
    service: ServiceKey,
    instance: RegisteredInstance,
    options: DeregisterOptions & { readonly onlyOf: number },
  ): Promise<SubscribersTold | undefined>;
  isHeld(service: ServiceKey, instance: RegisteredInstance): boolean;
  checked(options: InstanceOptions): RegisteredInstance;
}

/** An instance that the client keeps registered: it beats, and registers again when the server has forgotten it. */
export class RegistrationHandle {
  /** The service. */
  readonly service: ServiceKey;
  readonly #port: RegistrationPort;
  #instance: RegisteredInstance;
  #owner: number;
  #closing: Promise<SubscribersTold | undefined> | undefined;

  /** Made by `RegistryClient.register`. @param owner - the operation that registered it */
  constructor(port: RegistrationPort, service: ServiceKey, instance: RegisteredInstance, owner: number) {
    this.service = service;
    this.#port = port;
    this.#instance = instance;
    this.#owner = owner;
  }

  /** What is registered, with the last update. */
  get instance(): RegisteredInstance {
    return this.#instance;
  }

  /** Whether a server is known to have it right now. */
  get isHeld(): boolean {
    return this.#port.isHeld(this.service, this.#instance);
  }

  /**
   * Changes weight, switch or metadata; metadata is replaced as a whole.
   *
   * @throws ClientError (as rejection) as `register` does; the registration stays as it was then
   */
  async update(update: InstanceUpdate, options: CallOptions = {}): Promise<void> {
    const defined = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
    const instance = this.#port.checked({ ...this.#instance, ...defined });
    this.#owner = await this.#port.register(this.service, instance, options);
    this.#instance = instance;
  }

  /**
   * Takes the instance out. A second call gives the same promise. When the address was registered again since, by another
   * call of `register`, that newer registration stays.
   *
   * @returns what subscribers knew; undefined when the server does not tell
   */
  close(options: DeregisterOptions = {}): Promise<SubscribersTold | undefined> {
    this.#closing ??= this.#port.deregister(this.service, this.#instance, { ...options, onlyOf: this.#owner });
    return this.#closing;
  }
}
