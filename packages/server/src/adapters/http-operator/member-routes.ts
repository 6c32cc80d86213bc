// The members of the cluster; a server alone is its only one. Source: Nacos 2.5.1 NacosClusterControllerV2, 3.0.3
// NacosClusterControllerV3; http-v2-v3 contract 6, 8.1.

import { jsonText, RegistryError, TypedParameters } from '@rollcall/protocol';
import { jsonBody } from '../http/answer-description.js';
import { preparedAnswer } from '../http/answer-head.js';
import { arrayOf, INTEGER, NULL, objectOf, STRING } from '../http/answer-schema.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { resultBody } from '../http-results/answer-schemas.js';
import { goodResult } from '../http-results/result-answer.js';
import type { ClusterMember } from '../operator/cluster-view.js';
import { MEMBER_OF_2X_SCHEMA, MEMBER_STATE_SCHEMA } from '../operator/operator-schemas.js';
import { memberJson, memberStateOf, type ServerState, selfOf } from '../operator/server-identity.js';
import { type HttpOperatorOptions, onBoth } from './http-operator-context.js';

const STATES = ['STARTING', 'UP', 'SUSPICIOUS', 'DOWN', 'ISOLATION'];
const LEAVE_PATH = '/v2/core/cluster/nodes';
/** What 2.5.1 always answers: nodes leave by being stopped. */
const LEAVE_REFUSED = preparedAnswer(
  jsonAnswer(200, `{"code":405,"message":"DELETE ${LEAVE_PATH} API not allow to use temporarily.","data":null}`),
);

/** The routes. */
export function memberRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  const { registry, state } = options;
  const shown = (now: ServerState, members: readonly ClusterMember[]): string =>
    members.map((member) => memberJson(now, member, registry.now().wall, '2.x')).join();
  const self = onBoth('/v2/core/cluster/node/self', '/v3/admin/core/cluster/node/self');
  const all = onBoth('/v2/core/cluster/node/list', '/v3/admin/core/cluster/node/list');
  const health = onBoth('/v2/core/cluster/node/self/health', '/v3/admin/core/cluster/node/self/health');
  return [
    ...self.map(
      ({ path }): AnswerRoute => ({
        method: 'GET',
        path,
        summary: 'This server as a member of its cluster',
        produces: resultBody(MEMBER_OF_2X_SCHEMA),
        handle: () => {
          const now = state();
          return goodResult(shown(now, [selfOf(now)]));
        },
      }),
    ),
    ...all.map(
      ({ path }): AnswerRoute => ({
        method: 'GET',
        path,
        summary: 'All members of the cluster',
        parameters: [
          { name: 'address', description: 'Only members whose address starts with it' },
          { name: 'state', description: `Only members in this state: ${STATES.join(', ')}, in any case` },
        ],
        produces: resultBody(arrayOf(MEMBER_OF_2X_SCHEMA)),
        handle: (request) => {
          const now = state();
          return goodResult(`[${shown(now, wantedMembers(now, request))}]`);
        },
      }),
    ),
    ...health.map(
      ({ path }): AnswerRoute => ({
        method: 'GET',
        path,
        summary: 'State of this server as a member',
        produces: resultBody(MEMBER_STATE_SCHEMA),
        handle: () => {
          const now = state();
          return goodResult(jsonText(memberStateOf(now, selfOf(now))));
        },
      }),
    ),
    {
      method: 'DELETE',
      path: LEAVE_PATH,
      summary: 'Refused for everybody, as on 2.5.1',
      parameters: [{ name: 'addresses', description: 'Ignored' }],
      produces: jsonBody(objectOf({ code: INTEGER, message: STRING, data: NULL })),
      handle: (): HttpAnswer => LEAVE_REFUSED,
    },
  ];
}

function wantedMembers(now: ServerState, { parameters }: HttpRequest): readonly ClusterMember[] {
  const typed = new TypedParameters(parameters, 'request');
  const address = typed.text('address') ?? '';
  const wanted = typed.text('state')?.toUpperCase();
  if (wanted !== undefined && !STATES.includes(wanted)) {
    throw new RegistryError('illegal-state', `Illegal state: ${typed.text('state')?.slice(0, 200)}`);
  }
  return now.members.filter(
    (member) => member.address.startsWith(address) && (wanted === undefined || wanted === memberStateOf(now, member)),
  );
}
