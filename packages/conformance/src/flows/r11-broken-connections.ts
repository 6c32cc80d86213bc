// R11: connections that break off at every stage.
import type { Flow } from '../flow.js';
import { RawConnection } from '../raw-connection.js';
import { requireStillAnswers } from '../still-answers.js';

const EACH = 20;

/** Sixty broken connections. */
export const r11Raw: Flow = {
  id: 'R11',
  client: 'raw',
  title: '60 connections broken in the head, in the body and before the answer',
  seconds: 1,
  runs: 'alone',
  run: async (context) => {
    const { contextPath } = context.server.endpoint;
    const target = `${contextPath}/v1/ns/instance`;
    for (let round = 0; round < EACH; round++) {
      const inHead = await RawConnection.open(context);
      inHead.write(`GET ${target}/list?serviceName=r11 HT`);
      inHead.reset();
      const inBody = await RawConnection.open(context);
      inBody.write(`POST ${target} HTTP/1.1\r\nHost: r11\r\nContent-Length: 1000\r\n\r\nserviceName=r11`);
      inBody.end();
      const beforeAnswer = await RawConnection.open(context);
      beforeAnswer.write(`GET ${target}/list?serviceName=r11 HTTP/1.1\r\nHost: r11\r\n\r\n`);
      beforeAnswer.reset();
    }
    await requireStillAnswers(context, `${3 * EACH} broken connections`);
    const { hosts } = await context.api.list({ serviceName: 'r11' });
    context.require(hosts.length === 0, `Hosts registered by half a body: found ${hosts.length}, expected 0`);
  },
};
