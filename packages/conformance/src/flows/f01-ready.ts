// F01: a client opens and sees a healthy server.
import { NpmClient } from '../client/npm-client.js';
import type { Flow } from '../flow.js';

/** The client's own judgement, and the metrics that it reads for it. */
export const f01Npm: Flow = {
  id: 'F01',
  client: 'npm',
  title: 'opens and sees a healthy server within 5 s; operator/metrics says UP',
  seconds: 1,
  runs: 'together',
  run: async (context) => {
    const client = await NpmClient.start(context, { endpoint: context.server.endpoint });
    const status = await client.status();
    context.require(status === 'UP', `Status that the client sees: found "${status}", expected "UP"`);
    context.requireWithin('opened to UP', Date.now() - client.openedAtMs, 'ms', { strict: [0, 5000], real: [0, 5000] });
    const metrics = await context.api.mustCall({ method: 'GET', path: '/v1/ns/operator/metrics' });
    const found = (JSON.parse(metrics) as { readonly status?: string }).status;
    context.require(found === 'UP', `Status in operator/metrics: found "${found}", expected "UP"`);
  },
};
