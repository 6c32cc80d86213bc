// After every attack: a list call on a new connection is answered within a second.
import type { FlowContext } from './flow-context.js';
import { NamingApi } from './naming-api.js';

/**
 * Asks for a list on a new connection and keeps the time.
 * @throws FlowFailure when the answer is late or wrong
 */
export async function requireStillAnswers(context: FlowContext, after: string): Promise<void> {
  const api = new NamingApi(context.server.endpoint);
  try {
    const query = { serviceName: context.uniqueName('still-answers') };
    const { status, durationMs } = await api.call({ method: 'GET', path: '/v1/ns/instance/list', query });
    context.require(status === 200, `List after ${after}: found status ${status}, expected 200`);
    const limits = { strict: [0, 1000], real: [0, 1000] } as const;
    context.requireWithin(`list after ${after}`, Math.round(durationMs), 'ms', limits);
  } finally {
    api.close();
  }
}
