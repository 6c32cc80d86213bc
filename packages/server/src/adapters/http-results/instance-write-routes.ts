// Registering, updating and deregistering an instance: the same on v2 and on both prefixes of v3.
// Source: Nacos 2.5.1 InstanceControllerV2, 3.0.3 InstanceControllerV3 and InstanceOpenApiController; contract 5.3, 7.1, 7.2.

import {
  type InstanceKind,
  RegistryError,
  readTypedDeregisterForm,
  readTypedInstanceForm,
  type UpdateForm,
} from '@rollcall/protocol';
import { planOverride } from '../../core/edit-plan.js';
import { addressOf } from '../../core/instance-address.js';
import type { RegistryCore } from '../../core/registry-core.js';
import { CONTENT_PARAMETERS, INSTANCE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { acknowledged } from '../instance-changes/acknowledgement.js';
import { AWAIT_PARAMETER, awaitSubscribersMs, onceSubscribersKnow } from '../instance-changes/awaited-subscribers.js';
import { commitEdits } from '../instance-changes/edit-commit.js';
import { claimInstance, releaseInstance } from '../instance-changes/instance-claim.js';
import { kindOrDefault } from '../instance-changes/instance-kind.js';
import { OK_RESULT_BODY } from './answer-schemas.js';
import { type HttpResultContext, resultActor, resultOrigin } from './http-result-context.js';
import { okResult } from './result-answer.js';

/** Parameters of a registration. */
export const TYPED_INSTANCE_PARAMETERS = [
  ...INSTANCE_PARAMETERS,
  ...CONTENT_PARAMETERS.filter(({ name }) => name !== 'app'),
];

/** POST. @param path - the resource, such as `/v2/ns/instance` */
export function registerRoute(context: HttpResultContext, path: string): AnswerRoute {
  return {
    method: 'POST',
    path,
    summary: 'Register an instance',
    parameters: TYPED_INSTANCE_PARAMETERS,
    produces: OK_RESULT_BODY,
    handle: (request) => registerInstance(context, request, readTypedInstanceForm(request.parameters, context.rules)),
  };
}

/** DELETE. @param path - as for POST */
export function deregisterRoute(context: HttpResultContext, path: string): AnswerRoute {
  return {
    method: 'DELETE',
    path,
    summary: 'Deregister an instance; one that is not there is no error',
    parameters: [...INSTANCE_PARAMETERS, AWAIT_PARAMETER],
    produces: OK_RESULT_BODY,
    handle: (request) => deregister(context, request),
  };
}

/** PUT. @param path - as for POST */
export function updateRoute(context: HttpResultContext, path: string): AnswerRoute {
  return {
    method: 'PUT',
    path,
    summary: 'Set weight, enabled and metadata of an instance over what its client registers',
    parameters: TYPED_INSTANCE_PARAMETERS,
    produces: OK_RESULT_BODY,
    handle: (request) => update(context, request),
  };
}

/** Registers what a request asks for. */
export function registerInstance(
  context: HttpResultContext,
  request: HttpRequest,
  form: UpdateForm,
): HttpAnswer | Promise<HttpAnswer> {
  return acknowledged(claimInstance(context.registry, form, resultOrigin(context, request)), okResult);
}

function deregister(context: HttpResultContext, request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
  const { registry } = context;
  const form = readTypedDeregisterForm(request.parameters);
  const waitMs = awaitSubscribersMs(request.parameters);
  return acknowledged(releaseInstance(registry, form, resultActor(context, request)), (how) =>
    onceSubscribersKnow(okResult(how), registry, form.service, waitMs),
  );
}

async function update(context: HttpResultContext, request: HttpRequest): Promise<HttpAnswer> {
  const { registry, rules } = context;
  const form = readTypedInstanceForm(request.parameters, rules);
  const { key } = addressOf(form.address.ip, form.address.port, form.address.cluster);
  const kind = meantKind(registry.core, form, key);
  if (registry.core.instance(form.service.id, kind, key) === undefined) return registerInstance(context, request, form);
  await commitEdits(registry, resultActor(context, request), (core) => {
    const record = core.instance(form.service.id, kind, key);
    return record === undefined ? [] : [{ record, plan: planOverride(record, form.edit) }];
  });
  return okResult('journalled');
}

/** Without a kind in the request, the one under which the instance is there: an edit should not make a second one. */
function meantKind(core: RegistryCore, { service, kind }: UpdateForm, addressKey: string): InstanceKind {
  if (core.service(service.id) === undefined) {
    const message = `service not found, namespace: ${service.namespace}, service: ${service.grouped}`;
    throw new RegistryError('invalid-instance', message, { details: { service: service.id } });
  }
  if (kind !== undefined) return kind;
  const usual = kindOrDefault(kind, core);
  const other = usual === 'ephemeral' ? 'persistent' : 'ephemeral';
  const inOther = core.instance(service.id, other, addressKey) !== undefined;
  return inOther && core.instance(service.id, usual, addressKey) === undefined ? other : usual;
}
