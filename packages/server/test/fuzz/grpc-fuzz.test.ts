// Random and mutated messages over gRPC: each call gets an answer in the protocol's form or a status, the connection lives,
// and nothing fails inside. GRPC_FUZZ_MESSAGES sets how many (3000 by default, 100000 in CI); a failure prints its seed.

import { decodePayload, encodePayload, frameMessage } from '@rollcall/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServerFixture, type StartedServer } from '../app/started-server.test-support.js';
import { hostileBody } from './hostile-payloads.test-support.js';
import { type CallOutcome, RawGrpcClient } from './raw-grpc-client.test-support.js';

const MESSAGES = Number(process.env.GRPC_FUZZ_MESSAGES ?? 3000);
/** Calls that are under way at a time. */
const TOGETHER = 100;
/** What a call may end with beside an answer: bytes that are no message, or too long, compressed, not one message. */
const REFUSALS = [2, 8, 12, 13];

const fixture = new ServerFixture();
let server: StartedServer;
beforeAll(async () => {
  server = await fixture.start();
});
afterAll(() => fixture.remove());

const SETUP = '{"clientVersion":"fuzz","labels":{"module":"naming"},"abilityTable":{}}';
const framed = (type: string, json: string) => frameMessage(encodePayload(type, json));

function bodyOf({ body }: CallOutcome): Record<string, unknown> {
  const { body: json } = decodePayload(body.subarray(5));
  return JSON.parse(new TextDecoder().decode(json)) as Record<string, unknown>;
}

function expectAnswer(outcome: CallOutcome): void {
  if (outcome.status !== 0) {
    expect(REFUSALS).toContain(outcome.status);
    return;
  }
  const answer = bodyOf(outcome);
  expect(typeof answer.resultCode).toBe('number');
  expect(String(answer.message)).not.toMatch(/^Server failed/);
}

it(`survives ${MESSAGES} messages`, async () => {
  const seed = Number(process.env.GRPC_FUZZ_SEED ?? Date.now() % 2 ** 31);
  const client = await RawGrpcClient.open(server.server.address.port);
  client.say(framed('ConnectionSetupRequest', SETUP));
  const answered = { right: 0, all: 0 };
  for (let batch = 0; answered.all < MESSAGES; batch++) {
    const bodies = fc.sample(hostileBody, { seed: seed + batch, numRuns: TOGETHER });
    const outcomes = await Promise.all(
      bodies.map((bytes, i) => {
        if (i % 10 === 0) client.say(framed('NotifySubscriberResponse', `{"requestId":${JSON.stringify(`${i}`)}}`));
        return client.call(bytes);
      }),
    );
    try {
      outcomes.forEach(expectAnswer);
      expect(client.isClosed).toBe(false);
    } catch (error) {
      throw new Error(`GRPC_FUZZ_SEED=${seed + batch} GRPC_FUZZ_MESSAGES=${TOGETHER} shows it again`, { cause: error });
    }
    answered.all += outcomes.length;
    answered.right += outcomes.filter((outcome) => outcome.status === 0 && bodyOf(outcome).resultCode === 200).length;
  }
  expect(answered.right).toBeGreaterThan(MESSAGES / 20);
  expect(bodyOf(await client.call(framed('HealthCheckRequest', '{}')))).toMatchObject({ resultCode: 200 });
  client.close();
  await expect
    .poll(async () => (await server.text('GET', '/rollcall/v1/metrics')).match(/^rollcall_grpc_connections .*/m)?.[0])
    .toBe('rollcall_grpc_connections 0');
  expect(fixture.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
}, 600_000);
