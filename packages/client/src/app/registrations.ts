// What callers want registered and taken out, as operations of the core: each call waits for the end of its own.

import { hostPortText, type ServiceKey } from '@rollcall/protocol';
import { type ClientError, clientErrorOf } from '../core/client-error.js';
import { type InstanceOptions, type RegisteredInstance, registeredInstance } from '../core/instance.js';
import type { SubscribersTold } from '../core/registry-call.js';
import type { CoreDriver } from './core-driver.js';
import type { CallOptions, Operations } from './operations.js';
import type { DeregisterOptions, RegistrationPort } from './registration-handle.js';

/** What registrations need of the client. */
export interface RegistrationsOptions {
  readonly driver: CoreDriver;
  readonly operations: Operations;
  /** Longest time of a call that names none, ms. */
  readonly deadlineMs: number;
  /** Throws when the client is closed. */
  readonly checkOpen: () => void;
  /** Why no server could be reached last; undefined while one can. */
  readonly unreachable: () => ClientError | undefined;
}

/** How one of possibly several registrations of an address is taken out. */
export interface RegistrationEnd extends DeregisterOptions {
  /** See `DeregisterInput`. */
  readonly onlyOf?: number | undefined;
}

/** The registrations of a client. */
export class Registrations implements RegistrationPort {
  readonly #options: RegistrationsOptions;

  /** @param options - see there */
  constructor(options: RegistrationsOptions) {
    this.#options = options;
  }

  /** Fills in the defaults of an instance. @throws ClientError for what no server would take */
  checked(options: InstanceOptions): RegisteredInstance {
    try {
      return registeredInstance(options);
    } catch (error) {
      throw clientErrorOf(error);
    }
  }

  /** Registers an instance. @returns the operation that owns the registration @throws ClientError (as rejection), nothing stays then */
  async register(service: ServiceKey, instance: RegisteredInstance, bounds: CallOptions): Promise<number> {
    const { operations, driver, deadlineMs, checkOpen, unreachable } = this.#options;
    checkOpen();
    const what = `Registering ${hostPortText(instance.ip, instance.port)} in "${service.grouped}"`;
    const operation = operations.begin({ what, signal: bounds.signal });
    const done = operations.wait(operation, {
      what,
      deadlineMs: bounds.deadlineMs ?? deadlineMs,
      signal: bounds.signal,
      lastFailure: () => driver.core.registrationFailure(service, instance) ?? unreachable(),
      abandoned: () => this.#withdraw(service, instance, operation),
    });
    driver.step({ type: 'register', operation, service, instance });
    await done;
    return operation;
  }

  /** Takes an instance out. @returns what subscribers knew @throws ClientError (as rejection) `closed` when the client is */
  async deregister(
    service: ServiceKey,
    instance: RegisteredInstance,
    end: RegistrationEnd,
  ): Promise<SubscribersTold | undefined> {
    this.#options.checkOpen();
    return this.#takeOut(service, instance, end);
  }

  /** Takes out everything that lives by this client, also when the client is closed to others. @returns why some could not be */
  async endAll(bounds: DeregisterOptions): Promise<readonly unknown[]> {
    const ephemeral = this.#options.driver.core.wanted().filter(({ instance }) => instance.ephemeral);
    const ends = ephemeral.map(({ service, instance }) => this.#takeOut(service, instance, bounds));
    const results = await Promise.allSettled(ends);
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  }

  /** Whether a server is known to have the instance. */
  isHeld(service: ServiceKey, instance: RegisteredInstance): boolean {
    return this.#options.driver.core.isHeld(service, instance);
  }

  async #takeOut(
    service: ServiceKey,
    instance: RegisteredInstance,
    { deadlineMs, signal, awaitSubscribersMs = 0, onlyOf }: RegistrationEnd,
  ): Promise<SubscribersTold | undefined> {
    const { operations, driver } = this.#options;
    const what = `Deregistering ${hostPortText(instance.ip, instance.port)} from "${service.grouped}"`;
    const operation = operations.begin({ what, signal });
    const done = operations.wait(operation, {
      what,
      deadlineMs: (deadlineMs ?? this.#options.deadlineMs) + awaitSubscribersMs,
      signal,
      lastFailure: this.#options.unreachable,
      abandoned: () => {},
    });
    driver.step({ type: 'deregister', operation, service, instance, awaitSubscribersMs, onlyOf });
    return done;
  }

  #withdraw(service: ServiceKey, instance: RegisteredInstance, onlyOf: number): void {
    const { operations, driver } = this.#options;
    const operation = operations.next();
    driver.step({ type: 'deregister', operation, service, instance, awaitSubscribersMs: 0, onlyOf });
  }
}
