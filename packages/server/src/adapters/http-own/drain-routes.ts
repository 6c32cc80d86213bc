// `/rollcall/v1/drain`: moving gRPC clients to other servers before this one stops.

import type { ConnectionDrain } from '../grpc/connection-drain.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import { readMoveTarget } from '../operator/move-target.js';
import { DRAIN_BODY } from './own-answer-schemas.js';
import type { DrainAnswer } from './own-answers.js';

const PATH = '/rollcall/v1/drain';

/** The routes. */
export function drainRoutes(drain: ConnectionDrain): readonly Route[] {
  return [
    {
      method: 'POST',
      path: PATH,
      summary: 'Ask all gRPC clients to move to another server, and new ones not to come; again: those still here',
      parameters: [
        { name: 'target', description: 'Main address ip:port of the server to go to; clients choose without it' },
      ],
      produces: DRAIN_BODY,
      handle: ({ parameters }) => {
        drain.begin(readMoveTarget(parameters, 'target'));
        return answer(drain);
      },
    },
    {
      method: 'GET',
      path: PATH,
      summary: 'How many gRPC clients were asked to move and how many are still here',
      produces: DRAIN_BODY,
      handle: () => answer(drain),
    },
    {
      method: 'DELETE',
      path: PATH,
      summary: 'End a drain: gRPC clients are welcome again',
      produces: DRAIN_BODY,
      handle: () => {
        drain.end();
        return answer(drain);
      },
    },
  ];
}

function answer({ progress }: ConnectionDrain): HttpAnswer {
  const { draining, startedAt, asked, left } = progress;
  const clients = [...left].map(([version, count]) => ({ version, count })).sort((a, b) => b.count - a.count);
  const body: DrainAnswer = {
    draining,
    startedAt: startedAt ?? null,
    asked,
    left: clients.reduce((sum, { count }) => sum + count, 0),
    clients,
  };
  return jsonAnswer(200, JSON.stringify(body));
}
