// What v2 says when the journal cannot be written, where its good answers stand outside the envelope.

import { DEFAULT_LIMITS, Parameters, paramCheckNameRules } from '@rollcall/protocol';
import { ManualClock } from '@rollcall/runtime/testing';
import { expect, it } from 'vitest';
import { DEFAULT_CORE_SETTINGS } from '../../core/core-settings.js';
import { RegistryCore } from '../../core/registry-core.js';
import type { RegistryInput, ResultOf } from '../../core/registry-input.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import type { HttpResultContext } from '../http-results/http-result-context.js';
import type { RegistryAccess } from '../registry-access.js';
import { beatRoutes } from './beat-routes.js';
import { instanceRoutes } from './instance-routes.js';

const SERVICE = 'serviceName=DEFAULT_GROUP@@orders';
const BEAT = `${SERVICE}&beat=${encodeURIComponent('{"ip":"10.0.0.1","port":80,"cluster":"DEFAULT"}')}`;

function contextOf(): HttpResultContext {
  const clock = new ManualClock();
  const core = new RegistryCore({ sink: () => undefined, settings: DEFAULT_CORE_SETTINGS, limits: DEFAULT_LIMITS });
  const step = <I extends RegistryInput>(input: I): ResultOf<I> => core.step(input, clock.now());
  const registry: RegistryAccess = {
    core,
    now: () => clock.now(),
    step,
    commit: async (actor, plan) => step({ type: 'store', changes: plan(core), actor }),
    afterJournal: (callback) => callback(),
    awaitSubscribers: () => Promise.reject(new Error('Nobody is waited for')),
  };
  const rules = { names: paramCheckNameRules(DEFAULT_LIMITS), limits: DEFAULT_LIMITS };
  return { registry, rules, logger: { isEnabled: () => false, log: () => undefined }, via: 'http-v2' };
}

async function answerOf(routes: readonly AnswerRoute[], method: string, sent: string) {
  const route = routes.find((each) => each.method === method);
  const parameters = new Parameters(sent);
  const request = { method, parameters, target: '', remoteAddress: '127.0.0.1', header: () => undefined };
  const answer = await route?.handle(request as unknown as HttpRequest);
  return { body: String(Buffer.from(answer?.body ?? [])), unwritten: answer?.whenUnwritten };
}

it('refuses in the envelope a beat that registers, and a PATCH', async () => {
  const context = contextOf();
  const beat = await answerOf(beatRoutes(context), 'PUT', BEAT);
  expect(beat.body).toContain('"code":10200');
  const known = await answerOf(beatRoutes(context), 'PUT', BEAT);
  expect(known.unwritten).toBeUndefined();
  const patch = await answerOf(
    instanceRoutes(context),
    'PATCH',
    `${SERVICE}&ip=10.0.0.1&port=80&weight=2&enabled=true&metadata=a%3D1`,
  );
  expect(patch.body).toBe('ok');
  for (const { unwritten } of [beat, patch]) {
    expect(unwritten?.status).toBe(500);
    expect(JSON.parse(String(Buffer.from(unwritten?.body ?? [])))).toMatchObject({ code: 10002 });
  }
});
