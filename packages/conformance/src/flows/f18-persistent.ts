// F18: persistent instances stay when their owner is gone.
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import { holdList } from '../list-watch.js';

const IPS = ['127.0.0.1', '127.0.0.2'];

/** Two persistent instances of a killed npm client. */
export const f18Npm: Flow = {
  id: 'F18',
  client: 'npm',
  title: 'two persistent instances outlive the kill -9 of their owner by 35 s',
  seconds: 37,
  runs: 'together',
  run: async (context) => {
    const serviceName = context.uniqueName('service');
    const provider = await NpmClient.start(context, { endpoint: context.server.endpoint });
    // A port that is open (the server's own), so that a health check of the server has nothing to complain about.
    const { port } = context.server.endpoint;
    for (const ip of IPS) await provider.register(serviceName, { ip, port, ephemeral: false });
    await provider.kill();
    await holdList(context, {
      query: { serviceName },
      wanted: 'both persistent instances',
      while: ({ hosts }) => hosts.length === IPS.length && hosts.every(({ ephemeral }) => !ephemeral),
      forMs: 35_000,
      everyMs: 100,
    });
    for (const ip of IPS) await context.api.deregister({ serviceName, ip, port: String(port), ephemeral: 'false' });
    const { hosts } = await context.api.list({ serviceName });
    context.require(hosts.length === 0, `Hosts after their deregistration: found ${hosts.length}, expected 0`);
  },
};
