// `/api`: the paths of Nacos before 1.0, which old DNS and Tengine clients still use. All routes of `/instance` are there
// under another name, and three that name the service `dom`. Source: Nacos 1.4.8 ApiController; contract 12.

import { agentText, compareVersions, jsonText, parseAgent, RegistryError } from '@rollcall/protocol';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute, Route, RouteParameter } from '../http/route.js';
import { ALL_NAMES_BODY } from './answer-schemas.js';
import type { HttpV1Context } from './http-v1-context.js';
import { serviceNames } from './service-names.js';

const INSTANCE = '/v1/ns/instance';
const API = '/v1/ns/api';
/** DNS-F up to this version reads a flat list. */
const FLAT_UP_TO = [1, 0, 1] as const;
const DOM: RouteParameter = { name: 'dom', description: 'Bare name of the service', required: true };

/** The routes. @param instanceRoutes - all that begin with `/v1/ns/instance` */
export function legacyApiRoutes(context: HttpV1Context, instanceRoutes: readonly Route[]): readonly Route[] {
  const routes = instanceRoutes.filter((route): route is AnswerRoute => route.stream !== true);
  return [
    ...routes.map((route) => ({ ...route, path: API + route.path.slice(INSTANCE.length) })),
    {
      method: 'GET',
      path: `${API}/allDomNames`,
      summary: 'Names of all services by namespace',
      produces: ALL_NAMES_BODY,
      handle: (request) => allNames(context, request),
    },
    withDom(`${API}/srvIPXT`, routeAt(routes, `${INSTANCE}/list`)),
    withDom(`${API}/clientBeat`, routeAt(routes, `${INSTANCE}/beat`)),
  ];
}

/** The same under GET, with the service in `dom`. */
function withDom(path: string, { handle, method, ...route }: AnswerRoute): Route {
  const [, ...parameters] = route.parameters ?? [];
  return {
    ...route,
    method: 'GET',
    path,
    parameters: [DOM, ...parameters],
    handle: (request) => {
      request.parameters.required('dom');
      // HEAD asks what GET would answer, and must not do what the other method does.
      if (request.method === 'HEAD' && method !== 'GET') {
        throw new RegistryError('not-implemented', `no such api:HEAD:${path}`);
      }
      return handle(request);
    },
  };
}

function routeAt(routes: readonly AnswerRoute[], path: string): AnswerRoute {
  const found = routes.find((route) => route.path === path);
  if (found === undefined) throw new Error(`There is no route "${path}"`);
  return found;
}

function allNames({ registry }: HttpV1Context, request: HttpRequest): HttpAnswer {
  request.parameters.strictBoolean('responsibleOnly', false); // One node is responsible for everything.
  const names = serviceNames(registry.core);
  const { type, version } = parseAgent(agentText(request.header('user-agent'), request.header('client-version')));
  if (type === 'dns' && compareVersions(version, FLAT_UP_TO) <= 0) {
    const flat = [...(names.get('public') ?? [])];
    return jsonAnswer(200, `{"count":${flat.length},"doms":${listJson(flat)}}`);
  }
  let count = 0;
  const members: string[] = [];
  for (const [namespace, bare] of names) {
    count += bare.size;
    members.push(`${jsonText(namespace)}:${listJson(bare)}`);
  }
  return jsonAnswer(200, `{"count":${count},"doms":{${members.join(',')}}}`);
}

function listJson(names: Iterable<string>): string {
  return `[${[...names].map(jsonText).join(',')}]`;
}
