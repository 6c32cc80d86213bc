// R17: what is no HTTP/1.1 on the main port, or no HTTP/2 on the gRPC port, is answered or closed, and disturbs nobody.

import { clientPorts } from '../client-ports.js';
import type { Flow } from '../flow.js';
import { RawConnection } from '../raw-connection.js';
import { requireStillAnswers } from '../still-answers.js';

const HTTP2_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const EMPTY_SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** The start of a TLS 1.2 client hello. */
const TLS_HELLO = Buffer.from('16030100c8010000c40303', 'hex');

const GREETINGS: readonly { readonly label: string; readonly bytes: Buffer }[] = [
  { label: 'HTTP/2 preface', bytes: Buffer.concat([Buffer.from(HTTP2_PREFACE), EMPTY_SETTINGS]) },
  { label: 'garbage', bytes: Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 151 + 7) % 256)) },
  { label: 'TLS hello', bytes: Buffer.concat([TLS_HELLO, Buffer.alloc(200, 0x5a)]) },
  { label: 'HTTP/1.1', bytes: Buffer.from('GET / HTTP/1.1\r\nHost: r17\r\n\r\n') },
  { label: 'HTTP/0.9', bytes: Buffer.from('GET /\r\n\r\n') },
  { label: 'SSH', bytes: Buffer.from('SSH-2.0-OpenSSH_9.2\r\n') },
];

/** Other protocols' first words, on every client port. */
export const r17Raw: Flow = {
  id: 'R17',
  client: 'raw',
  title: 'HTTP/2 preface, garbage, TLS hello, HTTP/0.9, SSH: answered or closed within 3 s, others unharmed',
  seconds: 2,
  runs: 'alone',
  run: async (context) => {
    for (const port of await clientPorts(context)) {
      for (const { label, bytes } of GREETINGS) {
        const connection = await RawConnection.open(context, port);
        connection.write(bytes);
        const waitedMs = await connection.answerOrClose(3000);
        context.require(waitedMs !== undefined, `${label} on port ${port}: neither answered nor closed within 3 s`);
      }
    }
    await requireStillAnswers(context, 'foreign protocols');
  },
};
