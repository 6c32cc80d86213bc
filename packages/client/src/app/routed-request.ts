// One request on its way to an instance of a service, or to another one when nobody listens there.

import { hostPortText } from '@rollcall/protocol';
import { DecoratorHandler, type Dispatcher } from 'undici';
import { ClientError } from '../core/client-error.js';
import type { Instance } from '../core/instance.js';
import type { LiveView } from './live-view.js';

/** What happened to a request besides its answer. */
export type CallReport =
  /** It goes to another instance. */
  | {
      readonly type: 'retried';
      readonly service: string;
      readonly instance: Instance;
      readonly error: Error;
      readonly attempt: number;
    }
  /** An instance is left out for a time. */
  | { readonly type: 'ejected'; readonly service: string; readonly instance: Instance; readonly ejectionMs: number };

/** Who decides where requests go. */
export interface RequestRouting {
  /** Chooses an instance, not one of those that were tried; undefined when there is none. */
  choose(view: LiveView, request: Dispatcher.DispatchOptions, tried: readonly Instance[]): Instance | undefined;
  /** A call to an instance begins. @returns to be called when it has ended */
  begin(instance: Instance): () => void;
  /** A call ended. */
  ended(view: LiveView, instance: Instance, outcome: 'succeeded' | 'failed'): void;
  /** Whether a failed attempt may be followed by another. @param attempt - from 1 */
  mayRetry(request: Dispatcher.DispatchOptions, error: Error, attempt: number): boolean;
  /** Tells the caller. */
  report(report: CallReport): void;
}

/** What a request needs on its way. */
export interface RoutedOptions {
  readonly request: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
  readonly dispatch: Dispatcher.Dispatch;
  readonly scheme: string;
  readonly view: LiveView;
  readonly routing: RequestRouting;
}

type HandlerArguments<K extends keyof Dispatcher.DispatchHandler> = Parameters<Required<Dispatcher.DispatchHandler>[K]>;

/** One request on its way to an instance, or to another. */
export class RoutedRequest implements Dispatcher.DispatchHandler {
  readonly #options: RoutedOptions;
  /** Takes handlers of older kinds too. */
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #tried: Instance[] = [];
  #instance: Instance | undefined;
  #end: () => void = NOTHING;
  #isFailure = false;

  /** @param options - see there */
  constructor(options: RoutedOptions) {
    this.#options = options;
    this.#handler = new DecoratorHandler(options.handler);
  }

  /** Sends it to an instance. */
  start(): boolean {
    const { routing, view, request } = this.#options;
    const instance = routing.choose(view, request, this.#tried);
    if (instance !== undefined) return this.#send(instance);
    this.refuse(noInstance(view));
    return true;
  }

  #send(instance: Instance): boolean {
    const { routing, request, dispatch, scheme } = this.#options;
    this.#instance = instance;
    this.#end = routing.begin(instance);
    return dispatch({ ...request, origin: `${scheme}//${hostPortText(instance.ip, instance.port)}` }, this);
  }

  /** Nothing can be sent. */
  refuse(error: Error): void {
    this.#handler.onResponseError?.(NO_CONTROLLER, error);
  }

  onRequestStart(...args: HandlerArguments<'onRequestStart'>): void {
    this.#handler.onRequestStart?.(...args);
  }

  onRequestUpgrade(...args: HandlerArguments<'onRequestUpgrade'>): void {
    this.#finish('succeeded');
    this.#handler.onRequestUpgrade?.(...args);
  }

  onResponseStart(...args: HandlerArguments<'onResponseStart'>): void {
    this.#isFailure = args[1] >= 500;
    this.#handler.onResponseStart?.(...args);
  }

  onResponseData(...args: HandlerArguments<'onResponseData'>): void {
    this.#handler.onResponseData?.(...args);
  }

  onResponseEnd(...args: HandlerArguments<'onResponseEnd'>): void {
    this.#finish(this.#isFailure ? 'failed' : 'succeeded');
    this.#handler.onResponseEnd?.(...args);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    const { routing, view, request } = this.#options;
    const instance = this.#instance as Instance;
    this.#finish(error.name === 'AbortError' ? 'abandoned' : 'failed');
    this.#tried.push(instance);
    const attempt = this.#tried.length;
    const next = routing.mayRetry(request, error, attempt) ? routing.choose(view, request, this.#tried) : undefined;
    if (next === undefined) {
      this.#handler.onResponseError?.(controller, error);
      return;
    }
    routing.report({ type: 'retried', service: view.service.grouped, instance, error, attempt });
    this.#send(next);
  }

  #finish(outcome: 'succeeded' | 'failed' | 'abandoned'): void {
    this.#end();
    if (outcome !== 'abandoned' && this.#instance !== undefined)
      this.#options.routing.ended(this.#options.view, this.#instance, outcome);
  }
}

const NOTHING = (): void => {};

/** For errors of requests that never had a connection. */
const NO_CONTROLLER = {
  paused: false,
  aborted: false,
  reason: null,
  abort: NOTHING,
  pause: NOTHING,
  resume: NOTHING,
} as unknown as Dispatcher.DispatchController;

function noInstance(view: LiveView): ClientError {
  const found = `${view.instances.length} registered, none of them healthy, enabled, with weight and not left out`;
  return new ClientError('no-instance', `No instance of "${view.service.grouped}" can be called: ${found}`);
}
