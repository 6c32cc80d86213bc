// F02: a registered instance is in the neutral list at once.
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { watchList } from '../list-watch.js';

const SERVICES = 10;
const LIMITS = { strict: [0, 1000], real: [0, 1500] } as const;

/** Ten services by the npm client. */
export const f02Npm: Flow = {
  id: 'F02',
  client: 'npm',
  title: '10 registrations, each in the neutral list within 1 s of the start of its call',
  seconds: 2,
  runs: 'together',
  run: async (context) => {
    const client = await NpmClient.start(context, { endpoint: context.server.endpoint });
    await registerAndWatch(context, (serviceName) => client.register(serviceName, { ip: '10.2.0.1', port: 8080 }));
  },
};

/** Ten services by hand, with a form body as the Go and C++ clients send it. */
export const f02Raw: Flow = {
  id: 'F02',
  client: 'raw',
  title: '10 registrations by form body, each in the neutral list at the next query',
  seconds: 1,
  runs: 'together',
  run: async (context) => {
    await registerAndWatch(context, async (serviceName) => {
      const form = { serviceName, ip: '10.2.0.1', port: '8080' };
      await context.api.mustCall({ method: 'POST', path: '/v1/ns/instance', form });
    });
  },
};

async function registerAndWatch(context: FlowContext, register: (serviceName: string) => Promise<void>): Promise<void> {
  const timesMs: number[] = [];
  for (let service = 0; service < SERVICES; service++) {
    const serviceName = context.uniqueName('service');
    const startedAtMs = Date.now();
    await register(serviceName);
    const visibleAtMs = await watchList(context, {
      query: { serviceName },
      wanted: `"${serviceName}" listed with one host`,
      until: ({ hosts }) => hosts.length === 1,
      timeoutMs: 5000,
      everyMs: 2,
    });
    timesMs.push(visibleAtMs - startedAtMs);
  }
  context.requireWithin('slowest start of call to visible', Math.max(...timesMs), 'ms', LIMITS);
}
