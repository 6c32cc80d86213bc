// R12: requests sent without waiting for answers are answered in their order.
import type { Flow } from '../flow.js';
import { RawConnection } from '../raw-connection.js';
import { requireStillAnswers } from '../still-answers.js';

const REQUESTS = 20;

/** Twenty pipelined requests in one write, every third one of a kind that no hot route has. */
export const r12Raw: Flow = {
  id: 'R12',
  client: 'raw',
  title: '20 pipelined requests of several kinds, answered in their order',
  seconds: 1,
  runs: 'alone',
  run: async (context) => {
    const { contextPath } = context.server.endpoint;
    const names = Array.from({ length: REQUESTS }, (_, index) => `${context.uniqueName('p')}-${index}`);
    const requests = names.map((name, index) => {
      const extra = index % 3 === 0 ? 'Expect-Nothing: 1\r\nAccept: text/plain, */*;q=0.1\r\n' : '';
      const slash = index % 4 === 0 ? '/' : '';
      return `GET ${contextPath}/v1/ns/instance/list${slash}?serviceName=${name} HTTP/1.1\r\nHost: r12\r\n${extra}\r\n`;
    });
    const connection = await RawConnection.open(context);
    connection.write(requests.join(''));
    const namesFound = (): readonly string[] =>
      [...connection.received.matchAll(/"name":"DEFAULT_GROUP@@([^"]+)"/g)].map(([, name = '']) => name);
    const endsAtMs = Date.now() + 3000;
    while (namesFound().length < REQUESTS && Date.now() < endsAtMs && !connection.closed) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    context.require(
      JSON.stringify(namesFound()) === JSON.stringify(names),
      `Order of the answers: found ${JSON.stringify(namesFound())}, expected ${JSON.stringify(names)}`,
    );
    await requireStillAnswers(context, 'pipelining');
  },
};
