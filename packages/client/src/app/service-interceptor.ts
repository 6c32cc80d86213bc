// Sends requests for `http://service-name/path` to an instance of that service: an interceptor for any dispatcher of undici. A
// connection that is refused costs an idempotent request nothing but another try elsewhere.

import { isIP } from 'node:net';
import { hostPortText } from '@rollcall/protocol';
import type { Clock } from '@rollcall/runtime';
import type { Dispatcher } from 'undici';
import { ClientError, clientErrorOf } from '../core/client-error.js';
import { type Instance, isUsable } from '../core/instance.js';
import { type EjectionSettings, OutlierEjection } from '../core/outlier-ejection.js';
import type { LiveView, SelectOptions } from './live-view.js';
import { type CallReport, type RequestRouting, RoutedRequest } from './routed-request.js';
import type { LeastActive } from './selection/least-active.js';
import type { SelectionStrategy } from './selection/selection-strategy.js';
import { weightedRandom } from './selection/weighted-random.js';
import type { ServiceName } from './service-name.js';

/** How requests find their instance. */
export interface ServiceCallOptions {
  /**
   * The service that a host in a URL means; undefined sends the request where its URL says. URLs have lower-case hosts, so
   * services with capitals or a group need their own rule. Default: a host without a dot that is neither an IP nor `localhost`.
   */
  readonly serviceOf?: ((host: string) => ServiceName | undefined) | undefined;
  /** How an instance is chosen. Default weighted random. */
  readonly strategy?: SelectionStrategy | undefined;
  /** The key for strategies that hash. Default none. */
  readonly keyOf?: ((request: Dispatcher.DispatchOptions) => string | undefined) | undefined;
  /** Told when calls begin and end; its `strategy` is used unless `strategy` says otherwise. */
  readonly leastActive?: LeastActive | undefined;
  /** Instances that are tried for one idempotent request, 1 to 10. Default 3. */
  readonly attempts?: number | undefined;
  /** Longest wait for the first list of a service, ms. Default 5000. */
  readonly firstListTimeoutMs?: number | undefined;
  /** Leaves out instances whose calls fail. Default `off`. */
  readonly ejection?: EjectionSettings | 'off' | undefined;
  /** Told what happened besides answers. What it throws is ignored. */
  readonly reported?: ((report: CallReport) => void) | undefined;
}

/** What requests need from a client. */
export interface ServiceViews {
  subscribe(service: ServiceName): LiveView;
}

/** Services that one interceptor follows; a request for one more is refused with `limit-exceeded`. */
const SERVICES_MAX = 1000;
/** Methods of RFC 9110, 9.2.2, that may be sent twice. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
/** Errors that say that nothing of the request has left: nobody listens there, or nobody answers. */
const UNSENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** Requests of one client to services. */
export class ServiceInterceptor implements RequestRouting {
  readonly #views: ServiceViews;
  readonly #options: ServiceCallOptions;
  readonly #strategy: SelectionStrategy;
  readonly #clock: Clock;
  readonly #ejection: OutlierEjection | undefined;
  readonly #followed = new Map<string, LiveView>();

  /** @param views - a client @param clock - for ejection */
  constructor(views: ServiceViews, options: ServiceCallOptions, clock: Clock) {
    const { attempts = 3 } = options;
    if (!Number.isInteger(attempts) || attempts < 1 || attempts > 10)
      throw new ClientError('invalid-parameter', `"attempts" is ${attempts}, allowed are whole numbers from 1 to 10`);
    this.#views = views;
    this.#options = options;
    this.#strategy = options.strategy ?? options.leastActive?.strategy ?? weightedRandom();
    this.#clock = clock;
    const { ejection = 'off' } = options;
    this.#ejection = ejection === 'off' ? undefined : new OutlierEjection(ejection);
  }

  /** For `dispatcher.compose`. */
  readonly intercept: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) => {
    const { host, scheme } = originOf(request.origin);
    const view = this.#viewFor(host);
    if (view === undefined) return dispatch(request, handler);
    const routed = new RoutedRequest({ request, handler, dispatch, scheme, view, routing: this });
    if (view.isReady) return routed.start();
    this.#firstList(view).then(
      () => routed.start(),
      (error) => routed.refuse(clientErrorOf(error)),
    );
    return true;
  };

  /** Ends all views. */
  close(): void {
    for (const view of this.#followed.values()) view.close();
    this.#followed.clear();
  }

  /** Chooses an instance for a request, not one of those that were tried. */
  choose(view: LiveView, request: Dispatcher.DispatchOptions, tried: readonly Instance[]): Instance | undefined {
    const options: SelectOptions = { strategy: this.#strategy, key: this.#options.keyOf?.(request) };
    const chosen = view.select(options);
    if (chosen === undefined || !this.#isLeftOut(view, chosen, tried)) return chosen;
    const rest = view.instances.filter((instance) => isUsable(instance) && !this.#isLeftOut(view, instance, tried));
    return rest.length === 0 ? undefined : this.#strategy(rest)(options);
  }

  /** A call to an instance begins. @returns to be called when it has ended */
  begin(instance: Instance): () => void {
    return this.#options.leastActive?.begin(instance) ?? NOTHING;
  }

  /** A call ended. */
  ended(view: LiveView, instance: Instance, outcome: 'succeeded' | 'failed'): void {
    const ejection = this.#ejection;
    if (ejection === undefined) return;
    const { grouped } = view.service;
    if (outcome === 'succeeded') ejection.succeeded(grouped, hostPortText(instance.ip, instance.port));
    else {
      const usable = view.instances.filter(isUsable).length;
      const ejectionMs = ejection.failed(grouped, hostPortText(instance.ip, instance.port), usable, this.#clock.now());
      if (ejectionMs !== undefined) this.report({ type: 'ejected', service: grouped, instance, ejectionMs });
    }
  }

  /** Whether a failed attempt may be followed by another. */
  mayRetry(request: Dispatcher.DispatchOptions, error: Error, attempt: number): boolean {
    const { method, body } = request;
    const isRepeatable = body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;
    return attempt < (this.#options.attempts ?? 3) && IDEMPOTENT.has(method) && isRepeatable && isUnsent(error);
  }

  /** Tells the caller. */
  report(report: CallReport): void {
    try {
      this.#options.reported?.(report);
    } catch {
      // A listener that throws must not break the request that it is told of.
    }
  }

  #isLeftOut(view: LiveView, instance: Instance, tried: readonly Instance[]): boolean {
    if (tried.some((other) => hostPortText(other.ip, other.port) === hostPortText(instance.ip, instance.port)))
      return true;
    return (
      this.#ejection?.isEjected(view.service.grouped, hostPortText(instance.ip, instance.port), this.#clock.now()) ??
      false
    );
  }

  #viewFor(host: string): LiveView | undefined {
    const known = this.#followed.get(host);
    if (known !== undefined) return known;
    const service = (this.#options.serviceOf ?? serviceOfHost)(host);
    if (service === undefined) return undefined;
    if (this.#followed.size >= SERVICES_MAX)
      throw new ClientError('limit-exceeded', `Service of host "${host}" is one too many, allowed are ${SERVICES_MAX}`);
    const view = this.#views.subscribe(service);
    this.#followed.set(host, view);
    return view;
  }

  #firstList(view: LiveView): Promise<unknown> {
    const timeoutMs = this.#options.firstListTimeoutMs ?? 5000;
    const late = `"${view.service.grouped}" has no list after ${timeoutMs} ms`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new ClientError('deadline-exceeded', late)), timeoutMs);
      view.ready.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

const NOTHING = (): void => {};

function originOf(origin: Dispatcher.DispatchOptions['origin']): { readonly host: string; readonly scheme: string } {
  const text = typeof origin === 'string' ? origin : (origin?.origin ?? '');
  const at = text.indexOf('//');
  const rest = text.slice(at + 2);
  const end = rest.search(/[/:]/);
  // A port in the URL says that a certain server is meant.
  return { scheme: text.slice(0, at), host: end < 0 ? rest : rest[end] === ':' ? '' : rest.slice(0, end) };
}

function serviceOfHost(host: string): string | undefined {
  return host === '' || host === 'localhost' || host.includes('.') || isIP(host) !== 0 ? undefined : host;
}

function isUnsent(error: Error): boolean {
  const codeOf = (value: unknown): string => String((value as NodeJS.ErrnoException | undefined)?.code);
  // A host with several addresses fails with all their errors in one.
  if (error instanceof AggregateError) return error.errors.every((each) => UNSENT.has(codeOf(each)));
  return UNSENT.has(codeOf(error));
}
