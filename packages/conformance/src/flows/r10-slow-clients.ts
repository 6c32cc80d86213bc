// R10: clients that send their request byte by byte do not keep others waiting, and are answered in the end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import { RawConnection } from '../raw-connection.js';
import { requireStillAnswers } from '../still-answers.js';

const CLIENTS = 50;
const BYTE_PAUSE_MS = 20;

/** Fifty slow clients. */
export const r10Raw: Flow = {
  id: 'R10',
  client: 'raw',
  title: '50 clients that send byte by byte: others are answered within 1 s, they themselves in the end',
  seconds: 4,
  runs: 'alone',
  run: async (context) => {
    const { contextPath } = context.server.endpoint;
    const request = `GET ${contextPath}/v1/ns/instance/list?serviceName=r10 HTTP/1.1\r\nHost: r10\r\nAccept: */*\r\n\r\n`;
    const connections = await Promise.all(Array.from({ length: CLIENTS }, () => RawConnection.open(context)));
    for (const [index, byte] of [...request].entries()) {
      for (const connection of connections) connection.write(byte);
      if (index % 40 === 20) await requireStillAnswers(context, `${index} bytes of ${CLIENTS} slow clients`);
      await sleep(BYTE_PAUSE_MS);
    }
    await Promise.all(connections.map((connection) => connection.answerOrClose(3000)));
    const answered = connections.filter(({ status }) => status === 200).length;
    context.require(answered === CLIENTS, `Slow clients answered 200: found ${answered}, expected ${CLIENTS}`);
  },
};
