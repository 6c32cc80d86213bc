// A server that the registry knows exactly while it can be called, as docs/client.md shows it.

import { createServer } from 'node:http';
import { announce, connect, type StopReport } from '@rollcall/client';

/** Announces a server, then stops it. @returns what happened */
export async function announcedServer(servers: string): Promise<StopReport> {
  const client = connect({ servers });
  // #region announce
  const server = createServer((_request, response) => response.end('hello')).listen(0);
  const announcement = await announce(server, { client, service: 'hello' });

  void announcement.stopped.then(({ reason, subscribers, totalMs }) => {
    console.log(`${reason}: ${subscribers?.acknowledged ?? 0} callers knew after ${totalMs} ms`);
    return client.close();
  });
  // #endregion
  const report = await announcement.stop();
  await client.close();
  return report;
}
