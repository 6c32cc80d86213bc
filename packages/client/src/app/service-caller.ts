// `fetch` and a dispatcher that understand service names, on connections of their own.

import { systemClock } from '@rollcall/runtime';
import { Agent, type Dispatcher, fetch as plainFetch } from 'undici';
import { type ServiceCallOptions, ServiceInterceptor, type ServiceViews } from './service-interceptor.js';

/** Calls services by their names. End it with `close`. */
export interface ServiceCaller {
  /** As the `fetch` of undici, for `http://service-name/path` too. */
  readonly fetch: typeof plainFetch;
  /** For `request`, `stream` and the like of undici. */
  readonly dispatcher: Dispatcher;
  /** Ends views and connections once requests under way have ended. */
  close(): Promise<void>;
}

/**
 * Makes `fetch` and a dispatcher that send requests to instances of services.
 *
 * @param client - a client, which stays the caller's to close
 * @throws ClientError `invalid-parameter` when an option is out of range
 *
 * @example
 * ```ts
 * const caller = serviceCaller(client);
 * const answer = await caller.fetch('http://orders/api/orders/17');
 * ```
 */
export function serviceCaller(client: ServiceViews, options: ServiceCallOptions = {}): ServiceCaller {
  const interceptor = new ServiceInterceptor(client, options, systemClock);
  const agent = new Agent();
  const dispatcher = agent.compose(interceptor.intercept);
  return {
    dispatcher,
    fetch: (input, init) => plainFetch(input, { ...init, dispatcher }),
    close: async () => {
      interceptor.close();
      await agent.close();
    },
  };
}
