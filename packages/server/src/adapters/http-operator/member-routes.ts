// The servers of the cluster. A server alone is its only member. Source: Nacos 2.5.1 NacosClusterControllerV2, 3.0.3
// NacosClusterControllerV3; http-v2-v3 contract 6, 8.1.

import { jsonText, RegistryError, TypedParameters } from '@rollcall/protocol';
import { jsonBody } from '../http/answer-description.js';
import { preparedAnswer } from '../http/answer-head.js';
import { arrayOf, INTEGER, NULL, objectOf, oneOfTexts, STRING } from '../http/answer-schema.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { resultBody } from '../http-results/answer-schemas.js';
import { goodResult } from '../http-results/result-answer.js';
import { MEMBER_OF_2X_SCHEMA } from '../operator/operator-schemas.js';
import { memberJson, memberStateOf } from '../operator/server-identity.js';
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
  const member = (): string => memberJson(state(), registry.now().wall, '2.x');
  const self = onBoth('/v2/core/cluster/node/self', '/v3/admin/core/cluster/node/self');
  const all = onBoth('/v2/core/cluster/node/list', '/v3/admin/core/cluster/node/list');
  return [
    ...self.map(
      ({ path }): AnswerRoute => ({
        method: 'GET',
        path,
        summary: 'This server as a member of its cluster',
        produces: resultBody(MEMBER_OF_2X_SCHEMA),
        handle: () => goodResult(member()),
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
        handle: (request) => goodResult(`[${isWanted(options, request) ? member() : ''}]`),
      }),
    ),
    {
      method: 'GET',
      path: '/v2/core/cluster/node/self/health',
      summary: 'State of this server as a member',
      produces: resultBody(oneOfTexts('UP', 'DOWN')),
      handle: () => goodResult(jsonText(memberStateOf(state()))),
    },
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

function isWanted({ state }: HttpOperatorOptions, { parameters }: HttpRequest): boolean {
  const typed = new TypedParameters(parameters, 'request');
  const now = state();
  const { ip, port } = now.identity;
  if (!`${ip}:${port}`.startsWith(typed.text('address') ?? '')) return false;
  const wanted = typed.text('state');
  if (wanted === undefined) return true;
  if (STATES.includes(wanted.toUpperCase())) return wanted.toUpperCase() === memberStateOf(now);
  throw new RegistryError('illegal-state', `Illegal state: ${wanted.slice(0, 200)}`);
}
