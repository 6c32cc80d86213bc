// The options that a deployment with several servers, a login and a cache needs, as docs/client.md shows them.

import { connect, type RegistryClient } from '@rollcall/client';

/** Makes a client with most of the options. */
export function everyOption(servers: string, cacheDirectory: string): RegistryClient {
  const password = 'secret';
  // #region options
  const client = connect({
    servers: [servers],
    namespace: 'staging',
    credentials: { username: 'orders', password },
    cache: { directory: cacheDirectory, loadAtStart: true },
    deadlineMs: 10_000,
    emptyLists: 'keep',
  });
  // #endregion
  return client;
}
