// The client as callers see it: registrations, live views, look-ups. It wires the core to a transport and to the clocks.

import type { ServiceKey } from '@rollcall/protocol';
import { backgroundTimers, type Clock, nodeTimers, systemClock, type Timers } from '@rollcall/runtime';
import { EndpointServers } from '../adapters/http/endpoint-servers.js';
import type { PushTarget } from '../adapters/http/http-calls.js';
import { HttpExchange } from '../adapters/http/http-exchange.js';
import { addressTowards } from '../adapters/local-address.js';
import type { ServerAddress } from '../adapters/server-address.js';
import type { Transport, TransportEvents } from '../adapters/transport.js';
import { PushReceiver } from '../adapters/udp/push-receiver.js';
import type { NoteEffect } from '../core/client-effect.js';
import { ClientError, clientErrorOf } from '../core/client-error.js';
import type { ClientInput, PushedInput } from '../core/client-input.js';
import type { Instance, InstanceOptions } from '../core/instance.js';
import type { AnswerOf, RegistryCall, ServicePage, SubscribersTold } from '../core/registry-call.js';
import { ClientDisk } from './client-disk.js';
import { type ClientSettings, type ConnectOptions, clientSettings } from './connect-options.js';
import { CoreDriver } from './core-driver.js';
import { FirstLists } from './first-lists.js';
import { DEFAULT_STRATEGY, type LiveView, type SelectOptions } from './live-view.js';
import { type CallOptions, Operations } from './operations.js';
import { transportOf } from './protocol-choice.js';
import { type DeregisterOptions, RegistrationHandle } from './registration-handle.js';
import { Registrations } from './registrations.js';
import type { CloseOptions, ServicesOptions, SubscribeOptions } from './registry-options.js';
import { type ServiceName, serviceKeyOf } from './service-name.js';
import { ViewTable } from './view-table.js';

/** The world as the client sees it; tests give another one. */
export interface ClientPorts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
}

/** A client of one namespace on one set of servers. Made by `connect`; end it with `close`. */
export class RegistryClient {
  readonly #settings: ClientSettings;
  readonly #ports: ClientPorts;
  readonly #transport: Transport;
  readonly #driver: CoreDriver;
  readonly #operations: Operations;
  readonly #firstLists: FirstLists;
  readonly #receiver: PushReceiver | undefined;
  readonly #views: ViewTable;
  readonly #selecting = new Map<string, LiveView>();
  readonly #disk: ClientDisk | undefined;
  readonly #endpoint: EndpointServers | undefined;
  readonly #registrations: Registrations;
  /** Why no server could be reached; undefined while one is. */
  #unreachable: ClientError | undefined;
  #closing: Promise<void> | undefined;

  /** @param options - see `connect` @param ports - clock, timers and randomness, for tests */
  constructor(options: ConnectOptions = {}, ports: Partial<ClientPorts> = {}) {
    const settings = clientSettings(options);
    this.#settings = settings;
    const timers = settings.keepsProcessAlive ? nodeTimers : backgroundTimers;
    this.#ports = { clock: systemClock, timers, random: Math.random, ...ports };
    const events = this.#transportEvents();
    this.#operations = new Operations(nodeTimers);
    this.#firstLists = new FirstLists(this.#operations);
    this.#receiver = settings.push && new PushReceiver(settings.push.port, events);
    this.#transport = transportOf(settings, {
      ...this.#ports,
      events,
      pushTarget: (server) => this.#pushTarget(server),
    });
    this.#driver = this.#newDriver();
    this.#registrations = new Registrations({
      driver: this.#driver,
      operations: this.#operations,
      deadlineMs: settings.deadlineMs,
      checkOpen: () => this.#checkOpen(),
      unreachable: () => this.#unreachable,
    });
    this.#views = new ViewTable({
      follow: (key) => this.#driver.step({ type: 'follow', service: key }),
      unfollow: (key) => {
        this.#selecting.delete(key.grouped);
        this.#driver.step({ type: 'unfollow', service: key });
      },
      listenerFailed: (key, error) => this.#log('warn', 'listener-failed', { service: key.id, reason: String(error) }),
    });
    this.#disk = this.#newDisk(events);
    this.#endpoint = this.#newEndpoint(events);
    if (this.#endpoint === undefined) this.#transport.start();
    else void this.#endpoint.started.then(() => this.#transport.start());
  }

  /** The protocol in use; `unknown` while `auto` has found no server yet. */
  get protocol(): 'http' | 'grpc' | 'unknown' {
    return this.#transport.protocol;
  }

  /** The namespace of everything this client does. */
  get namespace(): string {
    return this.#settings.transport.namespace;
  }

  /**
   * Registers an instance and keeps it registered until it is closed. Without a server it is tried again until the deadline.
   *
   * @throws ClientError (as rejection): what the server refused, `deadline-exceeded`, `aborted`, `closed`; nothing stays registered then
   */
  async register(
    service: ServiceName,
    options: InstanceOptions,
    bounds: CallOptions = {},
  ): Promise<RegistrationHandle> {
    const key = this.#keyOf(service);
    const instance = this.#registrations.checked(options);
    const owner = await this.#registrations.register(key, instance, bounds);
    return new RegistrationHandle(this.#registrations, key, instance, owner);
  }

  /**
   * Takes an instance out that this or another client registered. Without `ephemeral` it is of the kind under which this
   * client registered its address, else ephemeral.
   *
   * @returns what subscribers knew; undefined when the server does not tell
   */
  async deregister(
    service: ServiceName,
    options: InstanceOptions,
    bounds: DeregisterOptions = {},
  ): Promise<SubscribersTold | undefined> {
    const key = this.#keyOf(service);
    const instance = this.#registrations.checked(options);
    const isKindSaid = typeof options.ephemeral === 'boolean';
    const meant = isKindSaid ? instance : this.#driver.core.meantBy(key, instance);
    return this.#registrations.deregister(key, meant, bounds);
  }

  /** Follows a service. Returns at once; `view.ready` resolves with the first list. */
  subscribe(service: ServiceName, options: SubscribeOptions = {}): LiveView {
    this.#checkOpen();
    const { clusters = [], strategy = DEFAULT_STRATEGY, signal, deadlineMs } = options;
    return this.#views.open({ service: this.#keyOf(service), clusters, strategy, bounds: { signal, deadlineMs } });
  }

  /** The instances of a service as a server says now, whatever this client follows. */
  async instances(service: ServiceName, bounds: CallOptions = {}): Promise<readonly Instance[]> {
    const answer = await this.#call({ type: 'list', service: this.#keyOf(service), purpose: 'once' }, bounds);
    return answer.list.instances;
  }

  /**
   * Chooses one usable instance. The first call for a service follows it; all later ones answer from memory.
   *
   * @throws ClientError (as rejection) `no-instance` when no instance is usable
   */
  async select(service: ServiceName, options: SelectOptions & CallOptions = {}): Promise<Instance> {
    this.#checkOpen();
    const key = this.#keyOf(service);
    const view = this.#selecting.get(key.grouped) ?? this.#followForSelect(service, key);
    if (!view.isReady) await this.untilListed(view, options);
    const instance = view.select(options);
    if (instance !== undefined) return instance;
    const found = `${view.instances.length} registered, none of them healthy, enabled and with weight`;
    throw new ClientError('no-instance', `No instance of "${key.grouped}" can be chosen: ${found}`);
  }

  /**
   * Waits for the first list of a view, until the deadline; `view.ready` itself waits for ever.
   *
   * @throws ClientError (as rejection) `deadline-exceeded` with the last failure, `aborted`, `closed`
   */
  untilListed(view: LiveView, bounds: CallOptions = {}): Promise<void> {
    const { deadlineMs = this.#settings.deadlineMs, signal } = bounds;
    const what = `Waiting for the instances of "${view.service.grouped}"`;
    const lastFailure = () => this.#driver.core.listFailure(view.service) ?? this.#unreachable;
    return this.#firstLists.wait(view, { what, deadlineMs, signal, lastFailure });
  }

  /** One page of service names of a group. */
  async services(options: ServicesOptions = {}): Promise<ServicePage> {
    const { group = this.#settings.group, page = 1, pageSize = 100 } = options;
    return this.#call({ type: 'services', namespace: this.namespace, group, page, pageSize }, options);
  }

  /** Whether a server says that it is up; `DOWN` also when none answers. */
  async status(bounds: CallOptions = {}): Promise<'UP' | 'DOWN'> {
    try {
      return await this.#call({ type: 'status' }, bounds);
    } catch (error) {
      if (clientErrorOf(error).code === 'closed') throw error;
      return 'DOWN';
    }
  }

  /**
   * Ends everything: ephemeral instances are deregistered, views closed, sockets and timers freed. A second call gives the
   * same promise. Never rejects: what could not be deregistered before the deadline (default 5000 ms) is logged.
   */
  close(options: CloseOptions = {}): Promise<void> {
    this.#closing ??= this.#end(options);
    return this.#closing;
  }

  async #end({ deadlineMs = CLOSE_DEADLINE_MS, awaitSubscribersMs = 0, signal }: CloseOptions): Promise<void> {
    const bounds = { deadlineMs, awaitSubscribersMs, signal };
    const ended = this.#registrations.endAll(bounds);
    this.#views.closeAll();
    for (const reason of await ended) this.#log('warn', 'deregistration-failed', { reason: String(reason) });
    this.#driver.stop();
    this.#operations.settleAll({ type: 'failed', error: closedError() });
    const parts = [this.#transport, this.#receiver, this.#disk, this.#endpoint];
    await Promise.all(parts.map((part) => part?.close()));
  }

  #followForSelect(service: ServiceName, key: ServiceKey): LiveView {
    const view = this.subscribe(service);
    this.#selecting.set(key.grouped, view);
    return view;
  }

  async #call<C extends RegistryCall>(call: C, bounds: CallOptions): Promise<AnswerOf<C>> {
    this.#checkOpen();
    await this.#endpoint?.started;
    const timeoutMs = bounds.deadlineMs ?? this.#settings.deadlineMs;
    return this.#transport.call(call, { timeoutMs, signal: bounds.signal });
  }

  async #pushTarget(server: ServerAddress): Promise<PushTarget> {
    const { push } = this.#settings;
    const clientIp = push?.clientIp ?? (await addressTowards(server.host, server.port)) ?? '';
    const udpPort = clientIp === '' ? 0 : await (this.#receiver?.port ?? 0);
    return { clientIp, udpPort };
  }

  #newDisk({ noted }: TransportEvents): ClientDisk | undefined {
    const { cache } = this.#settings;
    const step = (input: ClientInput): void => this.#driver.step(input);
    return cache && new ClientDisk(cache, this.namespace, { timers: this.#ports.timers, noted, step });
  }

  #newEndpoint({ noted }: TransportEvents): EndpointServers | undefined {
    const { endpoint, transport, scheme } = this.#settings;
    const { timers, random } = this.#ports;
    return (
      endpoint &&
      new EndpointServers({
        ...{ endpoint, scheme, timers, random, noted },
        namespace: transport.namespace,
        exchange: new HttpExchange({ ...transport, connectionsMax: 1 }),
        timeoutMs: transport.attemptTimeoutMs,
        found: (servers) => this.#transport.replaceServers(servers),
      })
    );
  }

  #newDriver(): CoreDriver {
    return new CoreDriver({
      ...this.#ports,
      settings: this.#settings.core,
      transport: this.#transport,
      callTimeoutMs: this.#settings.deadlineMs,
      performer: {
        settled: ({ operation, outcome }) => this.#operations.settled(operation, outcome),
        listed: (effect) => this.#views.listed(effect),
        keep: (effect) => this.#disk?.keep(effect),
        noted: ({ level, event, fields }: NoteEffect) => this.#log(level, event, fields),
      },
    });
  }

  #transportEvents(): TransportEvents {
    return {
      pushed: (push) => this.#driver.step(pushedInput(push)),
      opened: (keeping) => {
        this.#unreachable = undefined;
        this.#driver.step({ type: 'opened', keeping });
      },
      lost: () => this.#driver.step({ type: 'lost' }),
      unreachable: (error) => {
        this.#unreachable = error;
        this.#log('warn', 'servers-unreachable', { reason: error.toString() });
      },
      noted: (level, event, fields) => this.#log(level, event, fields),
    };
  }

  #log(
    level: 'debug' | 'info' | 'warn',
    event: string,
    fields: Readonly<Record<string, string | number | boolean | undefined>>,
  ): void {
    const { logger } = this.#settings;
    if (logger.isEnabled(level)) logger.log(level, event, fields);
  }

  #keyOf(service: ServiceName): ServiceKey {
    return serviceKeyOf(service, this.namespace, this.#settings.group);
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw closedError();
  }
}

/** The text stays unwritten until somebody keeps it. */
function pushedInput(push: Omit<PushedInput, 'type'>): PushedInput {
  const { list, source } = push;
  return {
    type: 'pushed',
    list,
    source,
    get text() {
      return push.text;
    },
  };
}

const CLOSE_DEADLINE_MS = 5000;

function closedError(): ClientError {
  return new ClientError('closed', 'The client is closed');
}
