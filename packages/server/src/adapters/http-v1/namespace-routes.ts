// `/console/namespaces`: making, changing and listing namespaces. Source: Nacos 1.4.8 NamespaceController; ops contract 2.

import { randomUUID } from 'node:crypto';
import {
  DEFAULT_NAMESPACE,
  isNewNamespaceId,
  type NamespaceCounts,
  namespaceJson,
  namespaceListJson,
  PUBLIC_NAMESPACE,
  RegistryError,
  readCreateNamespaceForm,
  readUpdateNamespaceForm,
} from '@rollcall/protocol';
import type { RegistryCore } from '../../core/registry-core.js';
import { preparedAnswer } from '../http/answer-head.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { TRUTH_BODY } from './answer-schemas.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { NAMESPACES_BODY } from './operator-schemas.js';

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
  if (parameters.get('show') === 'all') return show(core, parameters.bound('namespaceId', ''));
  if (parameters.boundBoolean('checkNamespaceIdExist')) {
    return core.namespaces.has(parameters.boundRequired('customNamespaceId')) ? TRUE : FALSE;
  }
  const counts = countsByNamespace(core);
  const made = [...core.namespaces.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return jsonAnswer(
    200,
    namespaceListJson([
      { ...PUBLIC_NAMESPACE, ...countsOf(counts, DEFAULT_NAMESPACE) },
      ...made.map((namespace) => ({ ...namespace, ...countsOf(counts, namespace.id) })),
    ]),
  );
}

function show(core: RegistryCore, id: string): HttpAnswer {
  const namespace = id === '' || id === DEFAULT_NAMESPACE ? PUBLIC_NAMESPACE : core.namespaces.get(id);
  if (namespace !== undefined) return jsonAnswer(200, namespaceJson(namespace));
  throw new RegistryError('namespace-not-found', `namespaceId [ ${id} ] not exist`);
}

async function create({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  const { id = randomUUID(), name, description } = readCreateNamespaceForm(request.parameters, rules.limits);
  if (!isNewNamespaceId(id, rules.limits)) return FALSE;
  let taken = false;
  await registry.commit(actorOf(request), (core) => {
    taken = core.namespaces.has(id);
    if (taken) return [];
    requireNamespaceRoom(core);
    return [{ type: 'namespace', id, value: { id, name, description } }];
  });
  return taken ? FALSE : TRUE;
}

/** An unknown id is no error, as in 1.4.8, which updates no row then. */
async function update({ registry, rules }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  const value = readUpdateNamespaceForm(request.parameters, rules.limits);
  await registry.commit(actorOf(request), (core) =>
    core.namespaces.has(value.id) ? [{ type: 'namespace', id: value.id, value }] : [],
  );
  return TRUE;
}

async function remove({ registry }: HttpV1Context, request: HttpRequest): Promise<HttpAnswer> {
  const id = request.parameters.boundRequired('namespaceId');
  await registry.commit(actorOf(request), (core) => {
    if (!core.namespaces.has(id)) return [];
    const { serviceCount } = countsOf(countsByNamespace(core), id);
    if (serviceCount > 0) {
      const message = `Namespace "${id}" cannot be deleted: found ${serviceCount} services in it, allowed is an empty namespace`;
      throw new RegistryError('namespace-not-empty', message, { details: { services: serviceCount } });
    }
    return [{ type: 'namespace', id, value: undefined }];
  });
  return TRUE;
}

function requireNamespaceRoom(core: RegistryCore): void {
  const { namespaces } = core.limits;
  if (core.namespaces.size < namespaces) return;
  const message = `Namespace cannot be made: found ${core.namespaces.size} namespaces, allowed are ${namespaces}`;
  throw new RegistryError('limit-exceeded', message, { details: { allowed: namespaces } });
}

function countsByNamespace(core: RegistryCore): ReadonlyMap<string, NamespaceCounts> {
  const counts = new Map<string, NamespaceCounts>();
  for (const { key, instanceCount } of core.services()) {
    const before = countsOf(counts, key.namespace);
    counts.set(key.namespace, {
      serviceCount: before.serviceCount + 1,
      instanceCount: before.instanceCount + instanceCount,
    });
  }
  return counts;
}

function countsOf(counts: ReadonlyMap<string, NamespaceCounts>, id: string): NamespaceCounts {
  return counts.get(id) ?? { serviceCount: 0, instanceCount: 0 };
}
