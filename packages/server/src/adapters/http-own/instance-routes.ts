// `/rollcall/v1/instances`, `/rollcall/v1/instance`, `/rollcall/v1/instance/edits`: what is registered, what an operator made
// of it, and the way back.

import { type InstanceKind, type Parameters, RegistryError, readInstanceTarget } from '@rollcall/protocol';
import { planReset } from '../../core/edit-plan.js';
import { type Address, addressOf } from '../../core/instance-address.js';
import type { InstanceRecord } from '../../core/instance-record.js';
import { jsonBody } from '../http/answer-description.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { commitEdits } from '../instance-changes/edit-commit.js';
import {
  type HttpOwnContext,
  INSTANCE_PARAMETERS,
  namedService,
  operatorOf,
  SERVICE_PARAMETERS,
} from './http-own-context.js';
import { INSTANCE_BODY, INSTANCES_SCHEMA, RESET_BODY } from './own-answer-schemas.js';
import type { ResetAnswer } from './own-answers.js';
import { serviceListJson } from './service-list.js';
import { instanceAnswer } from './shown-instance.js';

/** The routes. */
export function instanceRoutes(context: HttpOwnContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/rollcall/v1/instances',
      summary: 'All instances of a service with real health, edits and publishers',
      produces: jsonBody(INSTANCES_SCHEMA),
      parameters: SERVICE_PARAMETERS,
      handle: ({ parameters }) => instances(context, parameters),
    },
    {
      method: 'GET',
      path: '/rollcall/v1/instance',
      summary: 'One instance: registered, edited, in force, and who publishes it',
      produces: INSTANCE_BODY,
      parameters: INSTANCE_PARAMETERS,
      handle: ({ parameters }) => jsonAnswer(200, JSON.stringify(instanceAnswer(namedInstance(context, parameters)))),
    },
    {
      method: 'DELETE',
      path: '/rollcall/v1/instance/edits',
      summary: "Take an operator's edits back: what the client sent last is in force again",
      produces: RESET_BODY,
      parameters: INSTANCE_PARAMETERS,
      handle: (request) => reset(context, request),
    },
  ];
}

function instances(context: HttpOwnContext, parameters: Parameters): HttpAnswer {
  const { core } = context.registry;
  const service = namedService(parameters, context);
  if (core.service(service.id) === undefined) {
    throw new RegistryError('not-found', `No service "${service.grouped}" in namespace "${service.namespace}"`);
  }
  return jsonAnswer(200, serviceListJson(core, service));
}

async function reset(context: HttpOwnContext, request: HttpRequest): Promise<HttpAnswer> {
  const { registry } = context;
  let wasEdited = false;
  await commitEdits(registry, operatorOf(request), () => {
    const record = namedInstance(context, request.parameters);
    wasEdited = record.overlay !== undefined || record.current.base !== record.registered;
    return wasEdited ? [{ record, plan: planReset(record) }] : [];
  });
  const answer: ResetAnswer = { reset: wasEdited };
  return jsonAnswer(200, JSON.stringify(answer));
}

function namedInstance({ registry, rules }: HttpOwnContext, parameters: Parameters): InstanceRecord {
  const { service, address } = readInstanceTarget(parameters, rules);
  const kinds = wantedKinds(parameters);
  const { key }: Address = addressOf(address.ip, address.port, address.cluster);
  for (const kind of kinds) {
    const record = registry.core.instance(service.id, kind, key);
    if (record !== undefined) return record;
  }
  const what = kinds.length === 1 ? `No ${kinds[0]} instance` : 'No instance';
  const where = `in cluster "${address.cluster}" of service "${service.grouped}" in namespace "${service.namespace}"`;
  throw new RegistryError('not-found', `${what} "${address.ip}:${address.port}" ${where}`);
}

function wantedKinds(parameters: Parameters): readonly InstanceKind[] {
  if (parameters.present('ephemeral') === undefined) return ['persistent', 'ephemeral'];
  return [parameters.looseBoolean('ephemeral', true) ? 'ephemeral' : 'persistent'];
}
