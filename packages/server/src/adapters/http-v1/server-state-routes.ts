// `/core/cluster`, `/console/server/state`: what a server says of itself and, of its cluster.
// Source: Nacos 1.4.8 NacosClusterController, ServerStateController with the members of 2.5.1; ops contract 3.1, 3.6.

import { jsonText } from '@rollcall/protocol';
import { jsonBody } from '../http/answer-description.js';
import { arrayOf, STRING } from '../http/answer-schema.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import type { ClusterMember } from '../operator/cluster-view.js';
import { MEMBER_SCHEMA, MEMBER_STATE_SCHEMA, restResultBody, STATE_SCHEMA } from '../operator/operator-schemas.js';
import { memberJson, memberStateOf, type ServerState, selfOf, serverStateJson } from '../operator/server-identity.js';
import type { RegistryAccess } from '../registry-access.js';

/** The routes. */
export function serverStateRoutes(registry: RegistryAccess, state: () => ServerState): readonly Route[] {
  const shown = (now: ServerState, members: readonly ClusterMember[]): string[] =>
    members.map((member) => memberJson(now, member, registry.now().wall, '1.x'));
  return [
    {
      method: 'GET',
      path: '/v1/core/cluster/self',
      summary: 'This server as a member of its cluster',
      produces: restResultBody(MEMBER_SCHEMA),
      handle: () => {
        const now = state();
        return restResult(shown(now, [selfOf(now)]).join());
      },
    },
    {
      method: 'GET',
      path: '/v1/core/cluster/nodes',
      summary: 'All members of the cluster',
      produces: restResultBody(arrayOf(MEMBER_SCHEMA)),
      parameters: [{ name: 'keyword', description: 'Only members whose address starts with it' }],
      handle: ({ parameters }) => {
        const now = state();
        const keyword = parameters.optional('keyword', '');
        return restResult(
          `[${shown(
            now,
            now.members.filter(({ address }) => address.startsWith(keyword)),
          ).join()}]`,
        );
      },
    },
    {
      method: 'GET',
      path: '/v1/core/cluster/simple/nodes',
      summary: 'Addresses of all members of the cluster that are up',
      produces: restResultBody(arrayOf(STRING)),
      handle: () => {
        const up = state().members.filter((member) => member.state === 'UP');
        return restResult(`[${up.map(({ address }) => jsonText(address)).join()}]`);
      },
    },
    {
      method: 'GET',
      path: '/v1/core/cluster/health',
      summary: 'State of this server as a member',
      produces: restResultBody(MEMBER_STATE_SCHEMA),
      handle: () => {
        const now = state();
        return restResult(jsonText(memberStateOf(now, selfOf(now))));
      },
    },
    {
      method: 'GET',
      path: '/v1/console/server/state',
      summary: 'What consoles ask before they show anything',
      produces: jsonBody(STATE_SCHEMA),
      handle: () => jsonAnswer(200, serverStateJson(state())),
    },
  ];
}

/** The envelope of the routes that Nacos calls core. */
function restResult(data: string): HttpAnswer {
  return jsonAnswer(200, `{"code":200,"message":null,"data":${data}}`);
}
