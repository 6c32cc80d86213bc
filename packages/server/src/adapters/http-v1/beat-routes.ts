// `/instance/beat`: the heartbeat of v1. Source: Nacos 1.4.8 InstanceController.beat; contract 5.

import { beatUnknownAnswer } from '@rollcall/protocol';
import { INSTANCE_PARAMETERS } from '../http/described-parameters.js';
import type { Route } from '../http/route.js';
import { BEAT_BODY } from './answer-schemas.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { InstanceBeats } from './instance-beats.js';

/** The route. */
export function beatRoutes({ registry, rules }: HttpV1Context): readonly Route[] {
  const beats = new InstanceBeats({
    registry,
    rules,
    actorOf,
    kindRule: 'mixed',
    unknownAnswer: beatUnknownAnswer,
    journalled: { afterJournal: true },
  });
  return [
    {
      method: 'PUT',
      path: '/v1/ns/instance/beat',
      summary: 'Keep an instance alive; a full beat registers one that is not known',
      produces: BEAT_BODY,
      parameters: [
        ...INSTANCE_PARAMETERS,
        { name: 'beat', description: 'The instance; without it the beat is light', type: 'json' },
      ],
      repeated: true,
      handle: (request) => beats.answer(request),
    },
  ];
}
