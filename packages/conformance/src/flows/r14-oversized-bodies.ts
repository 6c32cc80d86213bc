// R14: bodies far beyond every bound are never accepted and always answered or closed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import type { FlowContext } from '../flow-context.js';
import { RawConnection } from '../raw-connection.js';
import { requireStillAnswers } from '../still-answers.js';

const MIB = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

const BODIES = [
  {
    label: '32 MiB form',
    method: 'POST',
    path: '/v1/ns/instance',
    start: 'serviceName=r14&ip=10.14.0.1&port=80&metadata=',
    bytes: 32 * MIB,
  },
  {
    label: '8 MiB beat',
    method: 'PUT',
    path: '/v1/ns/instance/beat',
    start: 'serviceName=r14&beat=%7B%22ip%22%3A%22',
    bytes: 8 * MIB,
  },
] as const;

/** A form of 32 MiB and a beat of 8 MiB. */
export const r14Raw: Flow = {
  id: 'R14',
  client: 'raw',
  title: 'a form of 32 MiB and a beat of 8 MiB: refused or closed within 3 s, nothing registered',
  seconds: 3,
  runs: 'alone',
  run: async (context) => {
    for (const body of BODIES) {
      const connection = await RawConnection.open(context);
      await sendBody(context, connection, body);
      const waitedMs = await connection.answerOrClose(3000);
      context.measure(`status of a ${body.label}`, connection.status ?? 0, '');
      context.require(waitedMs !== undefined, `${body.label}: neither answered nor closed within 3 s`);
      context.require(connection.status !== 200, `${body.label}: accepted`);
      await requireStillAnswers(context, `a ${body.label}`);
    }
    const { hosts } = await context.api.list({ serviceName: 'r14' });
    context.require(hosts.length === 0, `Hosts registered: found ${hosts.length}, expected 0`);
  },
};

async function sendBody(context: FlowContext, connection: RawConnection, body: (typeof BODIES)[number]): Promise<void> {
  const head = `${body.method} ${context.server.endpoint.contextPath}${body.path} HTTP/1.1\r\nHost: r14\r\n`;
  const type = 'Content-Type: application/x-www-form-urlencoded\r\n';
  connection.write(`${head}${type}Content-Length: ${body.bytes}\r\n\r\n${body.start}`);
  const piece = Buffer.alloc(PIECE_BYTES, 'a');
  const endsAtMs = Date.now() + 3000;
  for (let sent = body.start.length; sent < body.bytes; ) {
    if (connection.closed || connection.status !== undefined || Date.now() > endsAtMs) return;
    const next = piece.subarray(0, Math.min(PIECE_BYTES, body.bytes - sent));
    if (!connection.write(next)) await sleep(1);
    sent += next.length;
  }
}
