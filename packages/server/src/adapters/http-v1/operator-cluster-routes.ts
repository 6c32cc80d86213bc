// `/operator/servers`, `/operator/distro/*`, `/operator/cluster/state`: which servers there are and who is responsible for what.
// A server alone is responsible for everything; each leads itself, since there is no Raft. Source: Nacos 1.4.8 OperatorController, RaftPeer;
// `distro/client`: 2.5.1; contract 10.3.

import { jsonText, RegistryError, readServiceKey } from '@rollcall/protocol';
import { jsonBody } from '../http/answer-description.js';
import { arrayOf, INTEGER, objectOf, STRING } from '../http/answer-schema.js';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route, RouteDescription } from '../http/route.js';
import type { ClusterMember, ClusterView } from '../operator/cluster-view.js';
import { MEMBER_SCHEMA, RESPONSIBLE_SCHEMA } from '../operator/operator-schemas.js';
import { memberJson, memberStateOf, type ServerState } from '../operator/server-identity.js';
import type { HttpV1Context } from './http-v1-context.js';

const PREFIXES = ['/v1/ns/operator', '/v1/ns/ops'];

type Asked = Pick<RouteDescription, 'summary' | 'parameters' | 'produces'> & {
  readonly answer: (request: HttpRequest) => HttpAnswer;
};

/** The routes. @param state - asked at each request @param cluster - undefined for a server alone */
export function operatorClusterRoutes(
  context: HttpV1Context,
  state: () => ServerState,
  cluster: ClusterView | undefined,
): readonly Route[] {
  const questions = Object.entries(questionsOf(context, state, cluster));
  return PREFIXES.flatMap((prefix) =>
    questions.map(([path, { answer, ...description }]) => ({
      method: 'GET' as const,
      path: `${prefix}/${path}`,
      ...description,
      handle: answer,
    })),
  );
}

function questionsOf(
  context: HttpV1Context,
  state: () => ServerState,
  cluster: ClusterView | undefined,
): Readonly<Record<string, Asked>> {
  const shown = (now: ServerState, members: readonly ClusterMember[]): string =>
    members.map((member) => memberJson(now, member, context.registry.now().wall, '1.x')).join();
  const self = (): string => {
    const { ip, port } = state().identity;
    return jsonText(`${ip}:${port}`);
  };
  const responsible = (server: string) => jsonAnswer(200, `{"responsibleServer":${server}}`);
  return {
    servers: {
      summary: 'The servers of the cluster',
      produces: jsonBody(objectOf({ servers: arrayOf(MEMBER_SCHEMA) })),
      parameters: [{ name: 'healthy', description: 'Only those that are up', type: 'boolean', defaultValue: 'false' }],
      answer: ({ parameters }) => {
        const now = state();
        const isWanted = parameters.boundBoolean('healthy')
          ? (member: ClusterMember) => memberStateOf(now, member) === 'UP'
          : () => true;
        return jsonAnswer(200, `{"servers":[${shown(now, now.members.filter(isWanted))}]}`);
      },
    },
    'distro/server': {
      summary: 'The server that is responsible for a service',
      produces: jsonBody(RESPONSIBLE_SCHEMA),
      parameters: SERVICE_PARAMETERS,
      answer: ({ parameters }) => {
        const service = readServiceKey(parameters, 'bound');
        context.rules.names.checkService(service);
        if (context.registry.core.service(service.id) !== undefined) {
          return responsible(cluster === undefined ? self() : jsonText(cluster.ownerOf(service.id)));
        }
        throw new RegistryError('service-not-found', 'service not found', { details: { service: service.id } });
      },
    },
    'distro/client': {
      summary: 'The server that is responsible for a client of 2.x',
      produces: jsonBody(RESPONSIBLE_SCHEMA),
      parameters: [
        { name: 'ip', description: 'Address of the client', required: true },
        { name: 'port', description: 'Its port', required: true },
      ],
      answer: ({ parameters }) => {
        parameters.boundRequired('ip');
        parameters.boundRequired('port');
        return responsible(self());
      },
    },
    'distro/status': {
      summary: 'The servers among which services are distributed',
      produces: jsonBody(objectOf({}, { status: arrayOf(MEMBER_SCHEMA) })),
      parameters: [{ name: 'action', description: 'Only view shows something', defaultValue: 'view' }],
      answer: ({ parameters }) => {
        const now = state();
        const isView = parameters.bound('action', 'view') === 'view';
        return jsonAnswer(200, isView ? `{"status":[${shown(now, now.members)}]}` : '{}');
      },
    },
    'cluster/state': {
      summary: 'Which server leads',
      produces: jsonBody(objectOf({ ip: STRING, voteFor: STRING, term: INTEGER, state: STRING })),
      answer: () => jsonAnswer(200, `{"ip":${self()},"voteFor":${self()},"term":1,"state":"LEADER"}`),
    },
  };
}
