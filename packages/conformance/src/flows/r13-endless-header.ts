// R13: a head that never ends is refused at a bound, and a large one is answered one way or the other.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../flow.js';
import { RawConnection } from '../raw-connection.js';
import { requireStillAnswers } from '../still-answers.js';

const PIECE = `X-Endless: ${'a'.repeat(1000)}\r\n`;
const SENT_BYTES_MAX = 16 * 1024 * 1024;
const LARGE_HEADER_BYTES = 64 * 1024;

/** An endless header, and one of 64 KiB. */
export const r13Raw: Flow = {
  id: 'R13',
  client: 'raw',
  title: 'an endless header is refused with a 4xx or a close; one of 64 KiB is answered',
  seconds: 2,
  runs: 'alone',
  run: async (context) => {
    const { contextPath } = context.server.endpoint;
    const line = `GET ${contextPath}/v1/ns/instance/list?serviceName=r13 HTTP/1.1\r\nHost: r13\r\n`;
    const endless = await RawConnection.open(context);
    endless.write(line);
    let sentBytes = 0;
    while (!endless.closed && endless.status === undefined && sentBytes < SENT_BYTES_MAX) {
      if (!endless.write(PIECE)) await sleep(2);
      sentBytes += PIECE.length;
      if (sentBytes % (PIECE.length * 16) === 0) await sleep(0);
    }
    await endless.answerOrClose(3000);
    context.measure('bytes of header until refused', sentBytes, 'B');
    const isRefused = endless.status === undefined ? endless.closed : endless.status >= 400 && endless.status < 500;
    context.require(
      isRefused,
      `Endless header: found status ${endless.status} after ${sentBytes} bytes, expected a 4xx or a close`,
    );

    const large = await RawConnection.open(context);
    large.write(`${line}X-Large: ${'a'.repeat(LARGE_HEADER_BYTES)}\r\n\r\n`);
    const waitedMs = await large.answerOrClose(3000);
    context.measure('status of a 64 KiB header', large.status ?? 0, '');
    context.require(waitedMs !== undefined, 'Header of 64 KiB: neither answered nor closed within 3 s');
    await requireStillAnswers(context, 'an endless header');
  },
};
