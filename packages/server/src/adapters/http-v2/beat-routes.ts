// `/v2/ns/instance/beat`: the heartbeat of v1 under another path, with a grouped name, answered outside the envelope.
// Source: Nacos 2.5.1 InstanceControllerV2.beat; contract 5.3.

import { beatUnknownAnswerWithLight, splitGroupedName, TypedParameters } from '@rollcall/protocol';
import { INSTANCE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute } from '../http/route.js';
import { type HttpResultContext, resultActor } from '../http-results/http-result-context.js';
import { JOURNALLED_EXTRAS } from '../http-results/result-answer.js';
import { BEAT_BODY } from '../http-v1/answer-schemas.js';
import { InstanceBeats } from '../http-v1/instance-beats.js';

/** The route. */
export function beatRoutes(context: HttpResultContext): readonly AnswerRoute[] {
  const { registry, rules } = context;
  const beats = new InstanceBeats({
    registry,
    rules,
    actorOf: (request: HttpRequest) => resultActor(context, request),
    kindRule: 'single',
    unknownAnswer: beatUnknownAnswerWithLight,
    journalled: JOURNALLED_EXTRAS,
  });
  return [
    {
      method: 'PUT',
      path: '/v2/ns/instance/beat',
      summary: 'Keep an instance alive; a full beat registers one that is not known. The name is grouped',
      parameters: [
        ...INSTANCE_PARAMETERS,
        { name: 'beat', description: 'The instance; without it the beat is light', type: 'json' },
      ],
      produces: BEAT_BODY,
      handle: (request) => {
        splitGroupedName(new TypedParameters(request.parameters, 'request').requiredText('serviceName'));
        return beats.answer(request);
      },
    },
  ];
}
