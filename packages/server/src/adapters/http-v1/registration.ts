// Putting an instance into the registry, for POST and for a PUT that finds none.

import type { RegisterForm } from '@rollcall/protocol';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import { acknowledged } from '../instance-changes/acknowledgement.js';
import { claimInstance } from '../instance-changes/instance-claim.js';
import { warnOfShortLease } from '../instance-changes/lease-warning.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { okAnswer } from './ok-answer.js';

/** Registers: an ephemeral instance is acknowledged once it is journalled, a persistent one once it is stored. */
export function registerInstance(
  { registry, logger }: HttpV1Context,
  request: HttpRequest,
  form: RegisterForm,
): HttpAnswer | Promise<HttpAnswer> {
  const acknowledging = claimInstance(registry, form, { actor: actorOf(request), kindRule: 'mixed' });
  if (acknowledging === 'journalled' && form.content.metadata.size > 0) warnOfShortLease(logger, form);
  return acknowledged(acknowledging, (how) => okAnswer(request, how));
}
