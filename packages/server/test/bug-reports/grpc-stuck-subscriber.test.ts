// A subscriber that stops reading, beside one that reads, while a large service changes again and again.

import { encodePayload, frameMessage } from '@rollcall/protocol';
import { afterAll, expect, it } from 'vitest';
import { GrpcClient, SETUP } from '../../src/adapters/grpc/grpc-client.test-support.js';
import { ServerFixture } from '../app/started-server.test-support.js';
import { RawGrpcClient } from '../fuzz/raw-grpc-client.test-support.js';

const fixture = new ServerFixture();
afterAll(() => fixture.remove());

const framed = (type: string, body: object) => frameMessage(encodePayload(type, JSON.stringify(body)));
const SUBSCRIPTION = {
  namespace: 'public',
  serviceName: 's',
  groupName: 'DEFAULT_GROUP',
  subscribe: true,
  clusters: '',
};

it('BR-078 a stuck subscriber is closed, delays nobody, and is sent no second list before it took the first', async () => {
  const server = await fixture.start({ grpcStalledMs: '1000' });
  const { port } = server.server.address;
  const [publisher, changer, reader] = await Promise.all([1, 2, 3].map(() => GrpcClient.open(port)));
  if (publisher === undefined || changer === undefined || reader === undefined) throw new Error('no clients');
  // 5 MB: more than the kernel keeps for somebody who does not read.
  const metadata = { k: 'x'.repeat(5000) };
  await publisher.batch(Array.from({ length: 1000 }, (_, i) => ({ ip: '10.0.0.1', port: i + 1, metadata })));
  // The reader wants what changes only, so that the test itself has little to read.
  await reader.ask('SubscribeServiceRequest', { subscribe: true, clusters: 'c' });
  /** Longest time from a change until the reader has it, over 20 changes. */
  const slowestOf20 = async (ip: string): Promise<number> => {
    let slowestMs = 0;
    for (let i = 1; i <= 20; i++) {
      const changedAt = performance.now();
      await changer.register({ ip, port: i, clusterName: 'c' });
      await expect.poll(() => reader.pushed, { interval: 5, timeout: 5000 }).toEqual([`${ip}:${i}`]);
      slowestMs = Math.max(slowestMs, performance.now() - changedAt);
    }
    return slowestMs;
  };
  const undisturbedMs = await slowestOf20('10.9.9.8');
  const stuck = await RawGrpcClient.open(port);
  stuck.say(framed('ConnectionSetupRequest', SETUP));
  await stuck.call(framed('SubscribeServiceRequest', SUBSCRIPTION));
  stuck.stopReading();
  const metric = async (pattern: RegExp) => (await server.text('GET', '/rollcall/v1/metrics')).match(pattern)?.[0];
  // A second is the limit of the report; a machine that is slow by itself gets more.
  expect(await slowestOf20('10.9.9.9')).toBeLessThan(Math.max(1000, 5 * undisturbedMs));
  await expect.poll(() => metric(/^rollcall_grpc_closed_total\{.*"stalled"\}.*/m), { timeout: 10_000 }).toMatch(/ 1$/);
  // 40 for the one that reads, 1 for the one that does not.
  expect(await metric(/^rollcall_grpc_messages_total\{.*"push"\}.*/m)).toMatch(/ 41$/);
  for (const client of [publisher, changer, reader]) client.close();
  stuck.close();
}, 30_000);
