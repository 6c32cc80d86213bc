// Tells the registry of a server of this process while it listens, and takes it out before it goes: registered with the port
// it really has; on a signal deregistered first, then nobody calls it any more, then it ends what it is doing, then it closes.
// Source: contract client-1x 9.1 (life cycle), 9.3 (address); product.md on graceful exit.

import type { AddressInfo, Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type AddressChoice, ownAddress } from '../adapters/own-address.js';
import { ClientError, clientErrorOf } from '../core/client-error.js';
import type { InstanceOptions } from '../core/instance.js';
import type { SubscribersTold } from '../core/registry-call.js';
import type { CallOptions } from './operations.js';
import type { RegistrationHandle } from './registration-handle.js';
import type { RegistryClient } from './registry-client.js';
import { type DrainReport, ServerDrain } from './server-drain.js';
import type { ServiceName } from './service-name.js';

/** How a server is announced. */
export interface AnnounceOptions extends Omit<InstanceOptions, 'ip' | 'port'>, AddressChoice, CallOptions {
  /** Keeps the instance registered. */
  readonly client: RegistryClient;
  readonly service: ServiceName;
  /** Address to register. Default: the one the server is bound to, or for a server on all addresses one that others can call. */
  readonly ip?: string | undefined;
  /** Port to register, for a server behind a mapping. Default: the port the server has. */
  readonly port?: number | undefined;
  /** Signals that stop it. Default `SIGTERM` and `SIGINT`; empty for none. */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
  /** How long subscribers may take to acknowledge that it is gone, ms, 0 to 30000. Default 5000. */
  readonly awaitSubscribersMs?: number | undefined;
  /** How long to wait when the server does not tell who knows, ms: the time that Nacos takes to push. Default 1500. */
  readonly pushTimeMs?: number | undefined;
  /** How long calls under way may take to end, ms. Default 10000. */
  readonly drainMs?: number | undefined;
}

/** What happened when an announced server was stopped; times in ms. */
export interface StopReport {
  /** The signal, `stop` for a call of {@link Announcement.stop}, or `closed` when the server closed by itself. */
  readonly reason: NodeJS.Signals | 'stop' | 'closed';
  /** Why it could not be deregistered; the lease ends by itself then. Undefined when it was. */
  readonly deregistrationError: ClientError | undefined;
  readonly deregisterMs: number;
  /** Who knew when the server answered; undefined when it does not tell. */
  readonly subscribers: SubscribersTold | undefined;
  /** Waited because the server did not tell who knows. */
  readonly pushWaitMs: number;
  readonly drain: DrainReport;
  /** All of it. */
  readonly totalMs: number;
}

/** A server that the registry knows. */
export interface Announcement {
  readonly registration: RegistrationHandle;
  /** Deregisters, waits, drains and closes the server. A second call gives the same promise. */
  stop(): Promise<StopReport>;
  /** Resolves when it was stopped, however that came. */
  readonly stopped: Promise<StopReport>;
}

/**
 * Registers a server of `http`, `https`, `http2` or `net` once it listens.
 *
 * After a signal, when everything has ended, the signal is sent again unless the program has handlers of its own for it, so
 * that the process ends as it would have; a second signal in between is not caught.
 *
 * @throws ClientError (as rejection) as `register` does; `closed` when the server closes before it listens
 */
export async function announce(server: Server, options: AnnounceOptions): Promise<Announcement> {
  const drain = new ServerDrain(server);
  await listening(server, options.signal);
  const registration = await options.client.register(options.service, instanceOf(server, options), options);
  return new RunningAnnouncement(server, drain, registration, options);
}

class RunningAnnouncement implements Announcement {
  readonly registration: RegistrationHandle;
  readonly stopped: Promise<StopReport>;
  readonly #server: Server;
  readonly #drain: ServerDrain;
  readonly #options: AnnounceOptions;
  readonly #signals: readonly NodeJS.Signals[];
  readonly #onSignal = (signal: NodeJS.Signals): void => void this.#stopFor(signal);
  readonly #onClose = (): void => void this.#stopFor('closed');
  #report: Promise<StopReport> | undefined;
  #resolveStopped: (report: StopReport) => void = () => {};

  constructor(server: Server, drain: ServerDrain, registration: RegistrationHandle, options: AnnounceOptions) {
    this.#server = server;
    this.#drain = drain;
    this.registration = registration;
    this.#options = options;
    this.#signals = options.signals ?? ['SIGTERM', 'SIGINT'];
    this.stopped = new Promise((resolve) => {
      this.#resolveStopped = resolve;
    });
    for (const signal of this.#signals) process.on(signal, this.#onSignal);
    server.once('close', this.#onClose);
    // It may have closed while it was being registered.
    if (!server.listening) this.#onClose();
  }

  stop(): Promise<StopReport> {
    return this.#stopFor('stop');
  }

  #stopFor(reason: StopReport['reason']): Promise<StopReport> {
    this.#report ??= this.#end(reason);
    return this.#report;
  }

  async #end(reason: StopReport['reason']): Promise<StopReport> {
    for (const signal of this.#signals) process.off(signal, this.#onSignal);
    this.#server.off('close', this.#onClose);
    const startedAt = performance.now();
    const deregistration = await this.#deregister();
    const deregisterMs = since(startedAt);
    const { pushTimeMs = 1500, drainMs = 10_000 } = this.#options;
    const mustWait = deregistration.error === undefined && deregistration.told === undefined && reason !== 'closed';
    if (mustWait) await pause(pushTimeMs);
    const drain = await this.#drain.end(drainMs);
    const report: StopReport = {
      reason,
      deregistrationError: deregistration.error,
      deregisterMs,
      subscribers: deregistration.told,
      pushWaitMs: mustWait ? pushTimeMs : 0,
      drain,
      totalMs: since(startedAt),
    };
    this.#resolveStopped(report);
    if (reason !== 'stop' && reason !== 'closed') setImmediate(() => resend(reason));
    return report;
  }

  async #deregister(): Promise<{ told?: SubscribersTold | undefined; error?: ClientError }> {
    const { awaitSubscribersMs = 5000, deadlineMs } = this.#options;
    try {
      return { told: await this.registration.close({ awaitSubscribersMs, deadlineMs }) };
    } catch (error) {
      return { error: clientErrorOf(error) };
    }
  }
}

function resend(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

function listening(server: Server, signal: AbortSignal | undefined): Promise<void> {
  if (server.listening) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (error?: ClientError): void => {
      server.off('listening', onListening).off('close', onClose).off('error', onError);
      signal?.removeEventListener('abort', onAbort);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onListening = (): void => end();
    const onClose = (): void => end(new ClientError('closed', 'The server was closed before it listened'));
    const onError = (cause: Error): void =>
      end(new ClientError('closed', `The server cannot listen: ${cause.message}`, { cause }));
    const onAbort = (): void => end(new ClientError('aborted', 'Waiting for the server to listen was aborted'));
    server.once('listening', onListening).once('close', onClose).once('error', onError);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}

function instanceOf(server: Server, options: AnnounceOptions): InstanceOptions {
  const bound = server.address();
  if (bound === null || typeof bound === 'string')
    throw new ClientError('invalid-parameter', `The server listens on "${bound}", only ports can be announced`);
  const { ip, metadata } = options.ip === undefined ? addressFor(bound, options) : { ip: options.ip, metadata: {} };
  const { cluster, weight, healthy, enabled, ephemeral } = options;
  return {
    ...{ cluster, weight, healthy, enabled, ephemeral },
    ip,
    port: options.port ?? bound.port,
    metadata: { ...metadata, ...options.metadata },
  };
}

function addressFor(bound: AddressInfo, choice: AddressChoice): ReturnType<typeof ownAddress> {
  const isEverywhere = bound.address === '::' || bound.address === '0.0.0.0';
  if (isEverywhere) return ownAddress(choice);
  return { ip: bound.address.includes(':') ? `[${bound.address}]` : bound.address, metadata: {} };
}
