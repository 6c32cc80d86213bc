// R16: a thousand idle connections.
import type { Flow } from '../flow.js';
import { RawConnection } from '../raw-connection.js';
import { requireStillAnswers } from '../still-answers.js';

const CONNECTIONS = 1000;
const AT_ONCE = 100;

/** A thousand connections that send nothing; then each of them asks once. */
export const r16Raw: Flow = {
  id: 'R16',
  client: 'raw',
  title: '1000 idle connections: others are answered within 1 s, and so are they when they ask',
  seconds: 3,
  runs: 'alone',
  run: async (context) => {
    const connections: RawConnection[] = [];
    while (connections.length < CONNECTIONS) {
      connections.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => RawConnection.open(context)))));
    }
    await requireStillAnswers(context, `${CONNECTIONS} idle connections`);
    const { contextPath } = context.server.endpoint;
    for (const connection of connections) {
      connection.write(`GET ${contextPath}/v1/ns/instance/list?serviceName=r16 HTTP/1.1\r\nHost: r16\r\n\r\n`);
    }
    await Promise.all(connections.map((connection) => connection.answerOrClose(5000)));
    const answered = connections.filter(({ status }) => status === 200).length;
    context.require(
      answered === CONNECTIONS,
      `Idle connections answered 200: found ${answered}, expected ${CONNECTIONS}`,
    );
  },
};
