// `/instance`: registering, deregistering and reading one instance. Source: Nacos 1.4.8 InstanceController; contract 4.1, 4.2, 4.5.

import {
  instanceJson,
  instanceStatusesJson,
  RegistryError,
  readDeregisterForm,
  readInstanceTarget,
  readRegisterForm,
} from '@rollcall/protocol';
import { CONTENT_PARAMETERS, INSTANCE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { acknowledged } from '../instance-changes/acknowledgement.js';
import { AWAIT_PARAMETER, awaitSubscribersMs, onceSubscribersKnow } from '../instance-changes/awaited-subscribers.js';
import { foundInstance } from '../instance-changes/found-instance.js';
import { releaseInstance } from '../instance-changes/instance-claim.js';
import { INSTANCE_BODY, OK_BODY, STATUSES_BODY } from './answer-schemas.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { okAnswer } from './ok-answer.js';
import { registerInstance } from './registration.js';
import { serviceKeyOfStatusKey } from './status-key.js';

/** The routes. */
export function instanceRoutes(context: HttpV1Context): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/ns/instance',
      summary: 'Register an instance',
      produces: OK_BODY,
      parameters: [...INSTANCE_PARAMETERS, ...CONTENT_PARAMETERS],
      handle: (request) => registerInstance(context, request, readRegisterForm(request.parameters, context.rules)),
    },
    {
      method: 'DELETE',
      path: '/v1/ns/instance',
      summary: 'Deregister an instance; one that is not there is no error',
      produces: OK_BODY,
      parameters: [...INSTANCE_PARAMETERS, AWAIT_PARAMETER],
      handle: (request) => deregister(context, request),
    },
    {
      method: 'GET',
      path: '/v1/ns/instance',
      summary: 'Read one instance, with its real health',
      produces: INSTANCE_BODY,
      parameters: INSTANCE_PARAMETERS,
      handle: (request) => read(context, request),
    },
    {
      method: 'GET',
      path: '/v1/ns/instance/statuses',
      summary: 'Real health of all instances of a service',
      produces: STATUSES_BODY,
      parameters: [{ name: 'key', description: 'group@@name, or namespace##group@@name', required: true }],
      handle: (request) => statuses(context, request),
    },
  ];
}

function deregister({ registry, rules }: HttpV1Context, request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
  const form = readDeregisterForm(request.parameters, rules);
  const waitMs = awaitSubscribersMs(request.parameters);
  return acknowledged(releaseInstance(registry, form, actorOf(request)), (how) =>
    onceSubscribersKnow(okAnswer(request, how), registry, form.service, waitMs),
  );
}

function read({ registry, rules }: HttpV1Context, { parameters }: HttpRequest): HttpAnswer {
  const target = readInstanceTarget(parameters, rules);
  return jsonAnswer(200, instanceJson(target.service, foundInstance(registry.core, target).view()));
}

function statuses({ registry, rules }: HttpV1Context, { parameters }: HttpRequest): HttpAnswer {
  const service = serviceKeyOfStatusKey(parameters.boundRequired('key'));
  rules.names.checkService(service);
  const view = registry.core.view(service.id);
  if (view !== undefined) return jsonAnswer(200, instanceStatusesJson(view.hosts));
  throw new RegistryError('not-found', `service: ${service.grouped} not found.`, { details: { service: service.id } });
}
