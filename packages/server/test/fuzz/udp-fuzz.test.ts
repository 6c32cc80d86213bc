// A server whose acknowledgement port gets anything: it goes on pushing, acknowledging and answering, and nothing that comes
// without the number, port and address of a push is taken for its acknowledgement. UDP_FUZZ_DATAGRAMS sets how many
// datagrams (3000 by default, 100000 in CI), UDP_FUZZ_QUERIES how many subscribing queries, UDP_FUZZ_PORTS how many
// (port, clusters) one peer subscribes with; a failure prints its seed.

import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UdpSubscriber } from '../../src/adapters/udp/udp-subscriber.test-support.js';
import { HttpRegistry } from '../bug-reports/http-registry.test-support.js';

const DATAGRAMS = Number(process.env.UDP_FUZZ_DATAGRAMS ?? 3000);
const QUERIES = Number(process.env.UDP_FUZZ_QUERIES ?? 3000);
const PORTS = Number(process.env.UDP_FUZZ_PORTS ?? 3000);
/** Datagrams and queries between two looks at the server. */
const TOGETHER = 100;
const JAVA = { 'User-Agent': 'Nacos-Java-Client:v1.4.8' };
const LARGE = {
  bomb: gzipSync(Buffer.alloc(60_000_000)).subarray(0, 65_507),
  text: Buffer.alloc(65_507, '{'),
  nothing: Buffer.alloc(0),
};

let registry: HttpRegistry;
let honest: UdpSubscriber;
let hostile: UdpSubscriber;
beforeAll(async () => {
  registry = await HttpRegistry.start({ subscribers: 500, serviceSubscribers: 100 });
  honest = await UdpSubscriber.open();
  hostile = await UdpSubscriber.open();
});
afterAll(async () => {
  await Promise.all([honest.close(), hostile.close()]);
  await registry.close();
});

/** Pushes to the honest subscriber that wait for an acknowledgement. */
const pending = () => {
  const service = [...registry.runner.core.subscribedServices()].find(({ key }) => key.name === 'honest');
  const subscribers = [...(service?.subscribers.values() ?? [])].filter(({ port }) => port === honest.port);
  return subscribers.filter(({ outstanding }) => outstanding !== undefined).length;
};

/** A datagram; a number stands for an acknowledgement of a number near that of the push, or of the very number, from a wrong port. */
function bytesOf(datagram: Uint8Array | number | keyof typeof LARGE, number: number): string | Uint8Array {
  if (typeof datagram === 'number') return `{"lastRefTime":"${number + datagram}"}`;
  return typeof datagram === 'string' ? LARGE[datagram] : datagram;
}

/** Lets the honest subscriber ask again, changes the list, and waits for the push. */
async function honestPush() {
  const query = { serviceName: 'honest', udpPort: honest.port, clientIP: honest.ip };
  await registry.send('GET', '/instance/list', query, { headers: JAVA });
  registry.advance(100);
  const index = honest.pushes.length;
  await registry.register({ serviceName: 'honest', ephemeral: false, weight: (index % 100) + 1 });
  return honest.push(index);
}

async function honestAcknowledges(push: Awaited<ReturnType<typeof honestPush>>) {
  await honest.acknowledge(push);
  while (pending() > 0) await new Promise(setImmediate);
}

describe('the acknowledgement port', () => {
  it('takes nothing for an acknowledgement that is none', async () => {
    const piece = fc.constantFrom(
      '"lastRefTime"',
      ':',
      '"',
      '{"type":"push-ack",',
      '}',
      ' ',
      '\0',
      '1',
      '9'.repeat(20),
    );
    const datagram = fc.oneof(
      { weight: 5, arbitrary: fc.uint8Array({ maxLength: 1500 }) },
      { weight: 5, arbitrary: fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(''))) },
      { weight: 5, arbitrary: fc.integer({ min: -3, max: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom('bomb', 'text', 'nothing') },
    );
    const rounds = fc.array(datagram, { minLength: TOGETHER, maxLength: TOGETHER });
    await fc.assert(
      fc.asyncProperty(rounds, async (datagrams) => {
        const push = await honestPush();
        for (const each of datagrams) await hostile.send(bytesOf(each, push.number), push.fromPort);
        // What is not read by now will be read before the honest acknowledgement.
        await new Promise(setImmediate);
        expect(pending()).toBe(1);
        await honestAcknowledges(push);
      }),
      { numRuns: Math.ceil(DATAGRAMS / TOGETHER) },
    );
    const { received, oversized, unreadable } = registry.udpCounters;
    expect(received).toBeGreaterThan(DATAGRAMS / 10);
    expect(oversized).toBeGreaterThan(0);
    expect(unreadable).toBeGreaterThan(0);
  }, 600_000);
});

describe('queries that subscribe', () => {
  it('with anything are answered, bound what is kept, and leave nothing behind', async () => {
    const query = fc.record({
      serviceName: fc.oneof(fc.constantFrom('a', 'b', 'g@@a', 'honest'), fc.string({ unit: 'binary', maxLength: 20 })),
      clientIP: fc.oneof(
        fc.constantFrom(
          '',
          '127.0.0.1',
          '127.0.0.2',
          '::1',
          '10.0.0.1',
          '0.0.0.0',
          '224.0.0.1',
          'fe80::1%lo',
          'localhost',
        ),
        fc.ipV4(),
        fc.ipV6(),
        fc.string({ unit: 'binary', maxLength: 40 }),
      ),
      udpPort: fc.oneof(
        fc.constantFrom('0', '65535', '65536', '-1', '', '1e3', 'abc', '99999999999999'),
        fc.integer({ min: 1, max: 65_535 }).map(String),
      ),
      clusters: fc.oneof(fc.constantFrom('', 'c1', ',,,'), fc.string({ unit: 'binary', maxLength: 2000 })),
      app: fc.string({ unit: 'binary', maxLength: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(query, { minLength: TOGETHER, maxLength: TOGETHER }), async (queries) => {
        for (const each of queries) {
          const { status } = await registry.send('GET', '/instance/list', each, { headers: JAVA });
          expect([200, 400]).toContain(status);
        }
        expect(registry.runner.core.counts.subscribers).toBeLessThanOrEqual(500);
        await honestAcknowledges(await honestPush());
      }),
      { numRuns: Math.ceil(QUERIES / TOGETHER) },
    );
    registry.advance(70_000);
    expect(registry.runner.core.counts).toMatchObject({ subscribers: 0, outstandingPushes: 0 });
  }, 600_000);

  it('from one peer with ever new ports are bounded, and the honest one is pushed to', async () => {
    await honestAcknowledges(await honestPush());
    const requests = Array.from({ length: PORTS }, (_, n) => {
      // Beyond 65535 the port wraps, and other clusters make another subscriber; 0 and 65536 are asked for as well.
      const query = `udpPort=${n % 65_537}&clusters=${n < 65_537 ? '' : 'c'}&clientIP=127.0.0.1&serviceName=hostile${n % 7}`;
      return `GET /nacos/v1/ns/instance/list?${query} HTTP/1.1\r\nHost: h\r\nUser-Agent: ${JAVA['User-Agent']}\r\n\r\n`;
    });
    const answers = await pipelined(requests);
    expect(answers).toEqual({ ok: PORTS });
    const { subscribers } = registry.runner.core.counts;
    expect(subscribers).toBe(500);
    await honestAcknowledges(await honestPush());
    registry.advance(70_000);
    expect(registry.runner.core.counts).toMatchObject({ subscribers: 0, outstandingPushes: 0 });
  }, 600_000);
});

/** Sends requests one after another on one connection, some at a time. @returns how many answers were 200, and others */
async function pipelined(requests: readonly string[]): Promise<Record<string, number>> {
  const socket = connect(registry.port, '127.0.0.1');
  const counts: Record<string, number> = {};
  let rest = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    const heads = (rest + text).split('HTTP/1.1 ');
    rest = '';
    for (const head of heads.slice(1)) {
      const status = head.slice(0, 3);
      if (status.length < 3) rest = `HTTP/1.1 ${status}`;
      else counts[status === '200' ? 'ok' : status] = (counts[status === '200' ? 'ok' : status] ?? 0) + 1;
    }
  });
  const answered = () => Object.values(counts).reduce((sum, count) => sum + count, 0);
  for (let from = 0; from < requests.length; from += TOGETHER) {
    const batch = requests.slice(from, from + TOGETHER);
    socket.write(batch.join(''));
    while (answered() < from + batch.length) await once(socket, 'data');
  }
  socket.destroy();
  return counts;
}
