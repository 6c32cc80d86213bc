// Random and hostile request streams over raw sockets: the server answers or closes each, goes on answering others, and forgets
// every connection. HTTP_FUZZ_REQUESTS sets how many requests (3000 by default, 100000 in CI); a failure prints its seed.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostileStream } from '../../src/adapters/http/hostile-requests.test-support.js';
import { exchange, open, startPort, type TestPort, turn } from '../../src/adapters/http/lanes.test-support.js';

const REQUESTS = Number(process.env.HTTP_FUZZ_REQUESTS ?? 3000);
/** Streams that are under way at a time. */
const TOGETHER = 32;
const PROBE = 'GET /v1/ns/instance/list HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

let port: TestPort;
beforeAll(async () => {
  port = await startPort({ settings: { keptTargets: 50, keptTargetBytes: 4096 } });
});
afterAll(() => port.close());

const handled = (): number => port.lanes.counters.fastRequests + port.lanes.counters.nodeRequests;
const refused = (): number => [...port.lanes.counters.refused.values()].reduce((sum, count) => sum + count, 0);

/** Sends a stream and cuts the connection without reading. */
async function sendAndReset(pieces: readonly string[]): Promise<void> {
  const socket = await open(port.port);
  for (const piece of pieces) socket.write(Buffer.from(piece, 'latin1'));
  await turn();
  socket.resetAndDestroy();
}

async function expectEnd(pieces: readonly string[]): Promise<void> {
  const answer = await exchange(port.port, pieces);
  // Whatever was sent, what comes back begins with a status line.
  if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 [1-5]\d\d /);
}

it(`survives ${REQUESTS} requests`, async () => {
  const seed = Number(process.env.HTTP_FUZZ_SEED ?? Date.now() % 2 ** 31);
  const stream = fc.record({ pieces: hostileStream(), reset: fc.integer({ min: 0, max: 9 }) });
  const streams = fc.array(stream, { minLength: TOGETHER, maxLength: TOGETHER });
  let batch = 0;
  while (handled() + refused() < REQUESTS) {
    await fc.assert(
      fc.asyncProperty(streams, async (together) => {
        await Promise.all(
          together.map(({ pieces, reset }) => (reset === 0 ? sendAndReset(pieces) : expectEnd(pieces))),
        );
        expect(await exchange(port.port, [PROBE])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      }),
      { seed: seed + batch++, numRuns: 8, endOnFailure: true },
    );
  }
  while (port.lanes.connections.size > 0) await turn();
  expect(port.lanes.counters.openConnections).toBe(0);
  expect(port.lanes.counters.fastRequests).toBeGreaterThan(REQUESTS / 20);
  expect(port.lanes.counters.nodeRequests).toBeGreaterThan(REQUESTS / 20);
  // Only the route that fails on purpose failed.
  const faults = port.logger.lines.filter((line) => line.event === 'http-handler-failed');
  expect(faults.filter((line) => line.fields.path !== '/broken')).toEqual([]);
}, 600_000);
