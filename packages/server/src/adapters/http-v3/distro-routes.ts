// `/v3/admin/ns/client/distro`: which node answers for an address. Source: Nacos 3.0.3 ClientControllerV3; contract 7.4.

import { jsonText, TypedParameters } from '@rollcall/protocol';
import type { AnswerRoute } from '../http/route.js';
import { DISTRO_BODY } from '../http-results/answer-schemas.js';
import { goodResult } from '../http-results/result-answer.js';
import type { ServerIdentity } from '../operator/server-identity.js';

/** The route. @param identity - asked at each request */
export function distroRoutes(identity: () => ServerIdentity): readonly AnswerRoute[] {
  return [
    {
      method: 'GET',
      path: '/v3/admin/ns/client/distro',
      summary: 'The node that answers for what is registered from an address: this one',
      produces: DISTRO_BODY,
      parameters: [
        { name: 'ip', description: 'Address', required: true },
        { name: 'port', description: 'Port', required: true },
      ],
      handle: ({ parameters }) => {
        const typed = new TypedParameters(parameters, 'request');
        typed.requiredText('ip');
        typed.requiredText('port');
        const { ip, port } = identity();
        return goodResult(`{"responsibleServer":${jsonText(`${ip}:${port}`)}}`);
      },
    },
  ];
}
