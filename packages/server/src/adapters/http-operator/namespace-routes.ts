// Namespaces. Source: Nacos 2.5.1 NamespaceControllerV2, 3.0.3 NamespaceControllerV3; http-v2-v3 contract 6, 8.3, ops contract 2.4.
// The versions differ in how they show the built-in namespace and in how they refuse an id that is taken.

import { randomUUID } from 'node:crypto';
import {
  isNewNamespaceId,
  listedNamespaceJson,
  type NamespaceDialect,
  namespaceJson,
  RegistryError,
  readNamespaceId,
  readTypedCreateNamespaceForm,
  readTypedUpdateNamespaceForm,
} from '@rollcall/protocol';
import { preparedAnswer } from '../http/answer-head.js';
import { arrayOf } from '../http/answer-schema.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute, RouteParameter } from '../http/route.js';
import { resultBody } from '../http-results/answer-schemas.js';
import { resultActor } from '../http-results/http-result-context.js';
import { goodResult } from '../http-results/result-answer.js';
import {
  changeNamespace,
  foundNamespace,
  listedNamespaces,
  makeNamespace,
  removeNamespace,
} from '../operator/namespace-changes.js';
import { LISTED_NAMESPACE_SCHEMA, NAMESPACE_SCHEMA } from '../operator/operator-schemas.js';
import { type HttpOperatorContext, type HttpOperatorOptions, onBoth } from './http-operator-context.js';

const TRUE = preparedAnswer(goodResult('true'));
const TRUE_BODY = resultBody({ const: true });
const ID: RouteParameter = { name: 'namespaceId', description: 'Id', required: true };
const FORM: readonly RouteParameter[] = [
  { name: 'namespaceName', description: 'Name, without @ # $ % ^ & *', required: true },
  { name: 'namespaceDesc', description: 'Description' },
];

/** The routes. */
export function namespaceRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  const paths = onBoth('/v2/console/namespace', '/v3/admin/core/namespace');
  return [
    ...paths.flatMap(({ via, path }) => routesAt(path, { ...options, via })),
    {
      method: 'GET',
      path: '/v3/admin/core/namespace/check',
      summary: 'How many namespaces somebody made with an id: 1 or 0',
      parameters: [ID],
      produces: resultBody({ enum: [0, 1] }),
      handle: ({ parameters }) =>
        goodResult(options.registry.core.namespaces.has(readNamespaceId(parameters)) ? '1' : '0'),
    },
  ];
}

function routesAt(path: string, context: HttpOperatorContext): readonly AnswerRoute[] {
  const dialect: NamespaceDialect = context.via === 'http-v2' ? '1.x' : '3.x';
  const { core } = context.registry;
  return [
    {
      method: 'GET',
      path: `${path}/list`,
      summary: 'All namespaces, the built-in one first',
      produces: resultBody(arrayOf(LISTED_NAMESPACE_SCHEMA)),
      handle: () => {
        const items = listedNamespaces(core).map((namespace) => listedNamespaceJson(namespace, dialect));
        return goodResult(`[${items.join(',')}]`);
      },
    },
    {
      method: 'GET',
      path,
      summary: 'Show a namespace',
      parameters: [{ ...ID, description: 'Id; empty for the built-in one' }],
      produces: resultBody(NAMESPACE_SCHEMA),
      handle: ({ parameters }) => goodResult(namespaceJson(foundNamespace(core, readNamespaceId(parameters)), dialect)),
    },
    {
      method: 'POST',
      path,
      summary: 'Make a namespace',
      parameters: [{ ...ID, description: 'Id; random when empty' }, ...FORM],
      produces: TRUE_BODY,
      handle: (request) => create(context, request),
    },
    {
      method: 'PUT',
      path,
      summary: 'Change name and description of a namespace',
      parameters: [ID, ...FORM],
      produces: TRUE_BODY,
      handle: (request) => update(context, request),
    },
    {
      method: 'DELETE',
      path,
      summary: 'Delete a namespace that holds no services',
      parameters: [ID],
      produces: TRUE_BODY,
      handle: (request) => remove(context, request),
    },
  ];
}

async function create(context: HttpOperatorContext, request: HttpRequest): Promise<HttpAnswer> {
  const { registry, rules } = context;
  const { id = randomUUID(), name, description } = readTypedCreateNamespaceForm(request.parameters, rules.limits);
  // Characters and length were checked before, so what is refused here are the words for the built-in namespace.
  if (!isNewNamespaceId(id, rules.limits)) throw taken(context, id);
  const outcome = await makeNamespace(registry, resultActor(context, request), { id, name, description });
  if (outcome === 'taken') throw taken(context, id);
  return TRUE;
}

async function update(context: HttpOperatorContext, request: HttpRequest): Promise<HttpAnswer> {
  const { registry, rules } = context;
  const namespace = readTypedUpdateNamespaceForm(request.parameters, rules.limits);
  await changeNamespace(registry, resultActor(context, request), namespace);
  return TRUE;
}

async function remove(context: HttpOperatorContext, request: HttpRequest): Promise<HttpAnswer> {
  await removeNamespace(context.registry, resultActor(context, request), readNamespaceId(request.parameters));
  return TRUE;
}

function taken({ via }: HttpOperatorContext, id: string): RegistryError {
  return via === 'http-v2'
    ? new RegistryError('invalid-namespace', `the namespaceId is existed, namespaceId: ${id}`)
    : new RegistryError('namespace-exists', `namespaceId [${id}] already exist.`);
}
