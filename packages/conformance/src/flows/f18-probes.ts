// F18: the server itself finds out whether persistent instances can be reached.
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Flow } from '../flow.js';
import { holdList, watchList } from '../list-watch.js';

const IP = '127.0.0.1';
/** First probe after 7 s at the latest; a refused connection is enough. */
const UNHEALTHY_WITHIN_MS = 10_000;
/** Three good probes, each up to 5 s after the one before, and the first change of the interval. */
const HEALTHY_WITHIN_MS = 25_000;

/** An open and a closed port, registered by hand; then the closed one opens. */
export const f18Raw: Flow = {
  id: 'F18',
  client: 'raw',
  title: 'the TCP check marks the closed port within 10 s, never the open one, and notices when it opens',
  seconds: 35,
  runs: 'together',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const open = await listenAt(0);
    const closedPort = await findClosedPort();
    const instances = [portOf(open), closedPort].map((port) => ({ serviceName, ip: IP, port: String(port) }));
    const opened: Server[] = [open];
    try {
      for (const instance of instances) await context.api.register({ ...instance, ephemeral: 'false' });
      const healthOf = (hosts: readonly { readonly port: number; readonly healthy: boolean }[], port: number) =>
        hosts.find((host) => host.port === port)?.healthy;
      await watchList(context, {
        query: { serviceName },
        wanted: 'the closed port unhealthy',
        until: ({ hosts }) => healthOf(hosts, closedPort) === false,
        timeoutMs: UNHEALTHY_WITHIN_MS,
      });
      await holdList(context, {
        query: { serviceName },
        wanted: 'both still there, only the open port healthy',
        while: ({ hosts }) =>
          hosts.length === 2 && healthOf(hosts, portOf(open)) === true && healthOf(hosts, closedPort) === false,
        forMs: 3000,
      });
      opened.push(await listenAt(closedPort));
      await watchList(context, {
        query: { serviceName },
        wanted: 'both healthy after the port was opened',
        until: ({ hosts }) => hosts.length === 2 && hosts.every(({ healthy }) => healthy),
        timeoutMs: HEALTHY_WITHIN_MS,
      });
    } finally {
      for (const server of opened) server.close();
      for (const instance of instances) await context.api.deregister({ ...instance, ephemeral: 'false' });
    }
  },
};

function listenAt(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      // The checker breaks connections off; that is its right.
      socket.on('error', () => socket.destroy());
      socket.resume();
    });
    server.once('error', reject);
    server.listen(port, IP, () => resolve(server));
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function findClosedPort(): Promise<number> {
  const server = await listenAt(0);
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
