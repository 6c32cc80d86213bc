// Deregistration that waits: the answer comes once every subscriber knows the list without the instance, or the time is
// up, so that a provider can stop without a caller still on its way. Source: decisions.md of the project; Nacos has none.

import { type Parameters, RegistryError, type ServiceKey } from '@rollcall/protocol';
import type { HttpAnswer } from '../http/http-answer.js';
import type { RouteParameter } from '../http/route.js';
import type { RegistryAccess } from '../registry-access.js';

/** Longest wait. */
const AWAIT_MS_MAX = 30_000;
const NAME = 'awaitSubscribersMs';

/** The parameter, for the API description. */
export const AWAIT_PARAMETER: RouteParameter = {
  name: NAME,
  description:
    'Answer when all subscribers know, at most after this many ms (0 to 30000); see header rollcall-subscribers',
  type: 'integer',
};

/** How long a request wants to wait, in ms; undefined when it does not ask. @throws RegistryError when it asks for too long */
export function awaitSubscribersMs(parameters: Parameters): number | undefined {
  return awaitMsOf(parameters.present(NAME));
}

/** The same for a header of a gRPC request. @param text - its value. @throws RegistryError when it asks for too long */
export function awaitMsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (waitMs <= AWAIT_MS_MAX) return waitMs;
  const found = `found "${text}", allowed is a whole number from 0 to ${AWAIT_MS_MAX}`;
  throw new RegistryError('invalid-parameter', `Param '${NAME}': ${found}`, { details: { parameter: NAME } });
}

/**
 * Gives the answer when all subscribers of the service know its present list or the time is up; a header tells how that
 * went. Without a wait the answer is given at once and has no such header.
 *
 * @param waitMs - from {@link awaitSubscribersMs}
 */
export function onceSubscribersKnow(
  answer: HttpAnswer,
  registry: RegistryAccess,
  service: ServiceKey,
  waitMs: number | undefined,
): HttpAnswer | Promise<HttpAnswer> {
  if (waitMs === undefined) return answer;
  return registry.awaitSubscribers(service, waitMs).then(({ acknowledged, pending, waitedMs }) => {
    const how = `acknowledged=${acknowledged}, pending=${pending}, waitedMs=${Math.round(waitedMs)}`;
    const { prepared: _, headers = [], ...rest } = answer;
    return { ...rest, headers: [...headers, ['rollcall-subscribers', how]] };
  });
}
