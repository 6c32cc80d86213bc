// `/console/namespaces`: making, changing and listing namespaces. Source: Nacos 1.4.8 NamespaceController; ops contract 2.

import { randomUUID } from 'node:crypto';
import {
  isNewNamespaceId,
  namespaceJson,
  namespaceListJson,
  readCreateNamespaceForm,
  readUpdateNamespaceForm,
} from '@rollcall/protocol';
import { preparedAnswer } from '../http/answer-head.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import {
  changeNamespace,
  foundNamespace,
  listedNamespaces,
  makeNamespace,
  removeNamespace,
} from '../operator/namespace-changes.js';
import { NAMESPACES_BODY } from '../operator/operator-schemas.js';
import { TRUTH_BODY } from './answer-schemas.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';

const PATH = '/v1/console/namespaces';
const TRUE = preparedAnswer(jsonAnswer(200, 'true'));
const FALSE = preparedAnswer(jsonAnswer(200, 'false'));
const DESCRIPTION = { name: 'namespaceDesc', description: 'Description' };

/** The routes. */
export function namespaceRoutes(context: HttpV1Context): readonly Route[] {
  return [
    {
      method: 'GET',
      path: PATH,
      summary: 'List namespaces, show one, or ask whether an id is taken',
      produces: NAMESPACES_BODY,
      parameters: [
        { name: 'show', description: 'all shows one namespace' },
        { name: 'namespaceId', description: 'Namespace to show' },
        { name: 'checkNamespaceIdExist', description: 'Asks whether an id is taken', type: 'boolean' },
        { name: 'customNamespaceId', description: 'Id asked for' },
      ],
      handle: (request) => read(context, request),
    },
    {
      method: 'POST',
      path: PATH,
      summary: 'Make a namespace',
      produces: TRUTH_BODY,
      parameters: [
        { name: 'customNamespaceId', description: 'Id; random when empty', required: true },
        { name: 'namespaceName', description: 'Name', required: true },
        DESCRIPTION,
      ],
      handle: (request) => create(context, request),
    },
    {
      method: 'PUT',
      path: PATH,
      summary: 'Change name and description of a namespace',
      produces: TRUTH_BODY,
      parameters: [
        { name: 'namespace', description: 'Id', required: true },
        { name: 'namespaceShowName', description: 'Name', required: true },
        DESCRIPTION,
      ],
      handle: (request) => update(context, request),
    },
    {
      method: 'DELETE',
      path: PATH,
      summary: 'Delete a namespace that holds no services',
      produces: TRUTH_BODY,
      parameters: [{ name: 'namespaceId', description: 'Id', required: true }],
      handle: (request) => remove(context, request),
    },
  ];
}

function read({ registry: { core } }: HttpV1Context, { parameters }: HttpRequest): HttpAnswer {
  if (parameters.get('show') === 'all') {
    return jsonAnswer(200, namespaceJson(foundNamespace(core, parameters.bound('namespaceId', ''))));
  }
  if (parameters.boundBoolean('checkNamespaceIdExist')) {
    return core.namespaces.has(parameters.boundRequired('customNamespaceId')) ? TRUE : FALSE;
  }
  return jsonAnswer(200, namespaceListJson(listedNamespaces(core)));
}

async function create({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  const { id = randomUUID(), name, description } = readCreateNamespaceForm(request.parameters, rules.limits);
  if (!isNewNamespaceId(id, rules.limits)) return FALSE;
  const outcome = await makeNamespace(registry, actorOf(request), { id, name, description });
  return outcome === 'made' ? TRUE : FALSE;
}

async function update({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  await changeNamespace(registry, actorOf(request), readUpdateNamespaceForm(request.parameters, rules.limits));
  return TRUE;
}

async function remove({ registry }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  await removeNamespace(registry, actorOf(request), request.parameters.boundRequired('namespaceId'));
  return TRUE;
}
