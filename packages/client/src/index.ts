// Public door of @rollcall/client.

import { type ConnectOptions, RegistryClient } from './app/index.js';

export * from './app/index.js';

/**
 * Makes a client. It needs no server to be there yet: registrations and subscriptions begin when one is.
 *
 * @throws ClientError `invalid-parameter` when an option is out of range
 *
 * @example
 * ```ts
 * const client = connect({ servers: '127.0.0.1:8848' });
 * const registration = await client.register('orders', { ip: '10.0.0.1', port: 8080 });
 * const view = client.subscribe('orders');
 * await view.ready;
 * console.log(view.select());
 * await client.close();
 * ```
 */
export function connect(options: ConnectOptions = {}): RegistryClient {
  return new RegistryClient(options);
}
