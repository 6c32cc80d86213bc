// Putting an instance into the registry, for POST and for a PUT that finds none.

import type { RegisterForm } from '@rollcall/protocol';
import { addressOf } from '../../core/instance-address.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import { actorOf, type HttpV1Context, kindOrDefault } from './http-v1-context.js';
import { warnOfShortLease } from './lease-warning.js';
import { okAnswer } from './ok-answer.js';

/** Registers: an ephemeral instance is acknowledged once it is journalled, a persistent one once it is stored. */
export function registerInstance(
  context: HttpV1Context,
  request: HttpRequest,
  form: RegisterForm,
): HttpAnswer | Promise<HttpAnswer> {
  const { registry } = context;
  const { service, content } = form;
  const address = addressOf(form.address.ip, form.address.port, form.address.cluster);
  const actor = actorOf(request);
  if (kindOrDefault(form.kind, registry.core) === 'persistent') return registerPersistent();
  registry.step({ type: 'register', service, address, content, kindRule: 'mixed', actor });
  if (content.metadata.size > 0) warnOfShortLease(context.logger, form);
  return okAnswer(request, 'journalled');

  async function registerPersistent(): Promise<HttpAnswer> {
    await registry.commit(actor, (core) => {
      core.requireRoom(service, 'persistent', address);
      return [{ type: 'persistent-instance', service, address, value: { registered: content, base: content } }];
    });
    return okAnswer(request, 'written');
  }
}
