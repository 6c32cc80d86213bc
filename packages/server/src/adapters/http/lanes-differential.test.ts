// Whenever the fast lane answers, Node's lane would have sent the same bytes: the same requests go to a port with both lanes
// and to one with Node's alone, whole, in pieces and pipelined.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, startPort, type TestPort } from './lanes.test-support.js';

let both: TestPort;
let node: TestPort;

beforeAll(async () => {
  [both, node] = await Promise.all([startPort(), startPort({ lanes: 'node' })]);
});
afterAll(() => Promise.all([both.close(), node.close()]));

async function expectSame(pieces: readonly string[]): Promise<string> {
  const [fast, slow] = await Promise.all([exchange(both.port, pieces), exchange(node.port, pieces)]);
  expect(fast).toBe(slow);
  return fast;
}

const REQUESTS: Record<string, string> = {
  list: 'GET /nacos/v1/ns/instance/list?serviceName=a HTTP/1.1\r\nHost: x\r\n\r\n',
};

describe('hand-written requests', () => {
  it.each(Object.entries(REQUESTS))('%s', async (_name, request) => {
    await expectSame([request]);
  });
});
