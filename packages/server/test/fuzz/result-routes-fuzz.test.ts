// Random parameters to every route of HTTP v2 and v3: each is answered by the envelope or by the plain text of the parameter
// check, none with a fault of ours, and what is refused changes nothing.

import { DEFAULT_LIMITS, Parameters, paramCheckNameRules } from '@rollcall/protocol';
import { ManualClock, ManualTimers, RecordingLogger } from '@rollcall/runtime/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { HttpAnswer } from '../../src/adapters/http/http-answer.js';
import type { HttpRequest } from '../../src/adapters/http/http-request.js';
import type { Route } from '../../src/adapters/http/route.js';
import type { HttpResultOptions } from '../../src/adapters/http-results/http-result-context.js';
import { httpV2Routes } from '../../src/adapters/http-v2/http-v2-routes.js';
import { httpV3Routes } from '../../src/adapters/http-v3/http-v3-routes.js';
import { SortedServices } from '../../src/adapters/listings/sorted-services.js';
import { PushTargets } from '../../src/adapters/push-targets.js';
import { RegistryRunner } from '../../src/app/registry-runner.js';
import { DEFAULT_CORE_SETTINGS } from '../../src/core/core-settings.js';
import { MemoryStore } from '../../src/testing/memory-store.js';

const REQUESTS = Number(process.env.HTTP_FUZZ_REQUESTS ?? 3000);

const clock = new ManualClock();
const timers = new ManualTimers(clock);
const logger = new RecordingLogger();
const limits = DEFAULT_LIMITS;
const registry = new RegistryRunner({
  clock,
  timers,
  logger,
  limits,
  settings: DEFAULT_CORE_SETTINGS,
  store: new MemoryStore(),
  journal: { append: () => undefined, afterFlush: (callback) => callback() },
  push: () => undefined,
});
const options: HttpResultOptions = {
  registry,
  rules: { names: paramCheckNameRules(limits), limits },
  identity: () => ({ ip: '127.0.0.1', port: 8848, version: '0.0.0' }),
  logger,
  pushTargets: new PushTargets({ sameHost: (ip) => [ip] }),
  sortedServices: new SortedServices(registry),
  connectedClients: { all: () => [], find: () => undefined },
};
const routes = [...httpV2Routes(options), ...httpV3Routes(options)];

/** Values by parameter that sometimes make sense, so that requests get past the first check. No lease ends while the test runs. */
const SENSIBLE: Readonly<Record<string, readonly string[]>> = {
  serviceName: ['s', 'g@@s', 't', 'DEFAULT_GROUP@@s'],
  groupName: ['g', 'DEFAULT_GROUP'],
  namespaceId: ['public', 'n'],
  ip: ['10.0.0.1', '10.0.0.2'],
  port: ['1', '2'],
  clusterName: ['C1', 'DEFAULT', 'A,B'],
  cluster: ['C1', 'DEFAULT'],
  weight: ['0', '2.5', '0x1p3'],
  enabled: ['true', 'no'],
  healthy: ['on', '0'],
  ephemeral: ['true', 'false'],
  heartBeat: ['true', 'false'],
  metadata: ['a=1', '{"a":"b"}', '{"preserved.ip.delete.timeout":"20000"}'],
  instances: ['[{"ip":"10.0.0.1","port":1}]', '[]', '[null]', '[{"ip":1}]'],
  selector: ['{"type":"none"}', '{"type":"label","expression":""}'],
  beat: ['{"ip":"10.0.0.1","port":1}', 'null', '{}', '[]'],
  protectThreshold: ['0.5', '-1', '1e39'],
  pageNo: ['1', '0', '2147483647'],
  pageSize: ['1', '2147483647', '-1'],
  clientId: ['10.0.0.1:1#true', 'x'],
  awaitSubscribersMs: ['0', '-1', '1e3'],
  serviceNameParam: ['s', '(a+)+$', '[', '.*'],
};

const junk = fc.oneof(
  fc.constantFrom('', ' ', '__proto__', 'null', '-0', '%', '\u0000', '服务', '@@', 'a@@', '{"a":', '9'.repeat(400)),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const call = fc.record({
  route: fc.nat(routes.length - 1),
  fields: fc.record(
    Object.fromEntries(
      Object.entries(SENSIBLE).map(([name, values]) => [
        name,
        fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: junk }),
      ]),
    ),
    { requiredKeys: [] },
  ),
});

function requestOf({ method, path }: Route, fields: Readonly<Record<string, string>>): HttpRequest {
  const query = new URLSearchParams(fields).toString();
  return {
    method,
    target: `${path}?${query}`,
    path: path.replace('{key}', fields.serviceName ?? ''),
    parameters: new Parameters(query),
    body: new Uint8Array(),
    remoteAddress: '127.0.0.1',
    memo: undefined,
    header: () => undefined,
  };
}

const state = (): string => JSON.stringify([registry.core.counts, [...registry.core.snapshot()]], withMaps);

function withMaps(_: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}

function checkAnswer({ status, contentType, body }: HttpAnswer, path: string): void {
  const text = Buffer.from(body).toString();
  expect([200, 400, 404], `${path}: ${text}`).toContain(status);
  if (contentType !== 'application/json') return;
  const { code } = JSON.parse(text) as { readonly code?: number };
  if (status !== 200) expect(code, text).toBeGreaterThanOrEqual(10_000);
}

it(`answers ${REQUESTS} requests`, async () => {
  await fc.assert(
    fc.asyncProperty(call, async ({ route: index, fields }) => {
      const route = routes[index] as Route;
      if (route.stream === true) return;
      const before = state();
      const waiting = Promise.resolve(route.handle(requestOf(route, fields as Record<string, string>)));
      timers.advance(1);
      const answer = await waiting;
      checkAnswer(answer, route.path);
      if (answer.status !== 200) expect(state()).toBe(before);
    }),
    { numRuns: REQUESTS, endOnFailure: true },
  );
  expect(registry.core.counts.services).toBeGreaterThan(1);
}, 600_000);
