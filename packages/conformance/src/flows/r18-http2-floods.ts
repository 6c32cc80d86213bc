// R18: HTTP/2 floods on every client port. A server that speaks no HTTP/2 there must merely close.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientPorts } from '../client-ports.js';
import type { Flow } from '../flow.js';
import { RawConnection } from '../raw-connection.js';
import { requireStillAnswers } from '../still-answers.js';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const END_HEADERS = 4;
const PINGS = 10_000;
const RESET_STREAMS = 500;

/** A flood of pings, and streams that are reset as soon as they are opened. */
export const r18Raw: Flow = {
  id: 'R18',
  client: 'raw',
  title: '10,000 pings, and 500 streams reset at once, on every client port: others are answered within 1 s',
  seconds: 2,
  runs: 'alone',
  run: async (context) => {
    const pings = Array.from({ length: PINGS }, () => frame(PING, 0, 0, Buffer.alloc(8, 1)));
    for (const port of await clientPorts(context)) {
      await flood(await RawConnection.open(context, port), Buffer.concat(pings));
      await requireStillAnswers(context, `a ping flood on port ${port}`);
      await flood(await RawConnection.open(context, port), Buffer.concat(resetStreams()));
      await requireStillAnswers(context, `${RESET_STREAMS} reset streams on port ${port}`);
    }
  },
};

async function flood(connection: RawConnection, frames: Buffer): Promise<void> {
  connection.write(Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0)), frames]));
  await sleep(200);
}

function resetStreams(): readonly Buffer[] {
  // :method GET, :scheme http, :path / from the static table, and a literal :authority.
  const block = Buffer.concat([Buffer.from([0x82, 0x86, 0x84, 0x41, 0x03]), Buffer.from('r18')]);
  const cancel = Buffer.from([0, 0, 0, 8]);
  return Array.from({ length: RESET_STREAMS }, (_, index) => {
    const stream = 2 * index + 1;
    return Buffer.concat([frame(HEADERS, END_HEADERS, stream, block), frame(RST_STREAM, 0, stream, cancel)]);
  });
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
