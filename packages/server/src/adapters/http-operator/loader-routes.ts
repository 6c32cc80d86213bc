// `/core/loader`: the connections of clients, and moving them to other servers. v2 asks for everything with GET and answers bare
// values, v3 moves with POST and answers in the envelope. Source: Nacos 2.5.1 ServerLoaderController, 3.0.3
// ServerLoaderControllerV3; http-v2-v3 contract 6, 8.4.

import { jsonDouble, jsonText, RegistryError, TypedParameters } from '@rollcall/protocol';
import { type AnswerDescription, jsonBody, textBody } from '../http/answer-description.js';
import {
  arrayOf,
  BOOLEAN,
  INTEGER,
  type JsonSchema,
  mapOf,
  NULL,
  NUMBER,
  objectOf,
  STRING,
} from '../http/answer-schema.js';
import { type HttpAnswer, jsonAnswer, textAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { AnswerRoute, RouteParameter } from '../http/route.js';
import { resultBody } from '../http-results/answer-schemas.js';
import type { ConnectedClient } from '../http-results/client-directory.js';
import { goodResult } from '../http-results/result-answer.js';
import { readMoveTarget } from '../operator/move-target.js';
import { type Figures, ProcessFigures } from '../operator/process-figures.js';
import { moveClient, moveSurplus } from './client-moves.js';
import type { HttpOperatorOptions } from './http-operator-context.js';

const CONNECTION = objectOf({
  traced: BOOLEAN,
  metaInfo: objectOf({
    connectType: { const: 'GRPC' },
    connectionId: STRING,
    createTime: INTEGER,
    clientIp: STRING,
    remoteIp: STRING,
    remotePort: INTEGER,
    version: STRING,
    appName: STRING,
  }),
});
const LOADS = objectOf({
  memberCount: INTEGER,
  metricsCount: INTEGER,
  completed: BOOLEAN,
  max: INTEGER,
  min: INTEGER,
  avg: INTEGER,
  threshold: NUMBER,
  total: INTEGER,
  detail: arrayOf(objectOf({ address: STRING, sdkConCount: INTEGER, conCount: INTEGER, load: NUMBER, cpu: NUMBER })),
});
const REDIRECT: RouteParameter = {
  name: 'redirectAddress',
  description: 'ip:port of the server to go to; without it clients choose',
};
/** A server counts as overloaded when it has a tenth more than the average, as in Nacos. */
const OVERLOAD = 1.1;

/** What is done about connections; the same on both versions. */
interface Move {
  readonly name: string;
  readonly summary: string;
  readonly parameters: readonly RouteParameter[];
  /** Answer of v2. */
  readonly word: string;
  readonly run: (request: HttpRequest) => void;
}

/** The routes of v2: bare answers, refusals as plain text. */
export function bareLoaderRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  const answers = { body: jsonBody, answer: (json: string) => jsonAnswer(200, json) };
  const moves = movesOf(options).map(
    ({ name, summary, parameters, word, run }): AnswerRoute => ({
      method: 'GET',
      path: `/v2/core/loader/${name}`,
      summary,
      parameters,
      produces: textBody({ const: word }),
      handle: (request) => {
        // HEAD asks what GET would answer, and must not do what GET does.
        if (request.method === 'HEAD') throw new RegistryError('not-implemented', `no such api:HEAD:${request.path}`);
        run(request);
        return textAnswer(200, word);
      },
    }),
  );
  return [...readRoutes('/v2/core/loader', options, answers), ...moves];
}

/** The routes of v3: everything in the envelope. */
export function loaderRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  const prefix = '/v3/admin/core/loader';
  const moves = movesOf(options).map(
    ({ name, summary, parameters, run }): AnswerRoute => ({
      method: 'POST',
      path: `${prefix}/${name}`,
      summary,
      parameters,
      produces: resultBody(NULL),
      handle: (request) => {
        run(request);
        return goodResult('null');
      },
    }),
  );
  return [...readRoutes(prefix, options, { body: resultBody, answer: goodResult }), ...moves];
}

function readRoutes(
  prefix: string,
  options: HttpOperatorOptions,
  { body, answer }: { body: (schema: JsonSchema) => AnswerDescription; answer: (json: string) => HttpAnswer },
): readonly AnswerRoute[] {
  const figures = new ProcessFigures(options.registry.now());
  return [
    {
      method: 'GET',
      path: `${prefix}/current`,
      summary: 'Connections of gRPC clients to this server, by id',
      produces: body(mapOf(CONNECTION)),
      handle: () => {
        const members = Array.from(
          options.connectedClients.all(),
          (each) => `${jsonText(each.id)}:${connectionJson(each)}`,
        );
        return answer(`{${members.join(',')}}`);
      },
    },
    {
      method: 'GET',
      path: `${prefix}/cluster`,
      summary: 'How many connections each server of the cluster has',
      produces: body(LOADS),
      handle: () => answer(loadsJson(options, figures.read(options.registry.now()))),
    },
  ];
}

function movesOf(options: HttpOperatorOptions): readonly Move[] {
  return [
    {
      name: 'reloadCurrent',
      summary: 'Ask gRPC clients to go elsewhere until so many are left',
      parameters: [{ name: 'count', description: 'How many may stay', type: 'integer', required: true }, REDIRECT],
      word: 'success',
      run: ({ parameters }) => {
        const count = new TypedParameters(parameters, 'request').requiredInt('count');
        moveSurplus(options, Math.max(0, count), readMoveTarget(parameters, 'redirectAddress'));
      },
    },
    {
      name: 'reloadClient',
      summary: 'Ask one gRPC client to go elsewhere; one that is not there is no error',
      parameters: [{ name: 'connectionId', description: 'Its connection', required: true }, REDIRECT],
      word: 'success',
      run: ({ parameters }) => {
        const id = new TypedParameters(parameters, 'request').requiredText('connectionId');
        moveClient(options, id, readMoveTarget(parameters, 'redirectAddress'));
      },
    },
    {
      name: 'smartReloadCluster',
      summary: 'Even the connections of a cluster out; a server alone has nothing to even out',
      parameters: [{ name: 'loaderFactor', description: 'Ignored', type: 'number' }],
      word: 'Ok',
      run: () => undefined,
    },
  ];
}

function connectionJson({ id, acceptedAt, ip, port, version, app }: ConnectedClient): string {
  const metaInfo = {
    connectType: 'GRPC',
    connectionId: id,
    createTime: acceptedAt,
    clientIp: ip,
    remoteIp: ip,
    remotePort: port,
    version,
    appName: app,
  };
  return JSON.stringify({ traced: false, metaInfo });
}

function loadsJson({ connectedClients, state }: HttpOperatorOptions, { cpu, load }: Figures): string {
  const count = [...connectedClients.all()].length;
  const { ip, port } = state().identity;
  const detail = `{"address":${jsonText(`${ip}:${port}`)},"sdkConCount":${count},"conCount":${count},"load":${jsonDouble(load)},"cpu":${jsonDouble(cpu)}}`;
  return `{"memberCount":1,"metricsCount":1,"completed":true,"max":${count},"min":${count},"avg":${count},"threshold":${jsonDouble(count * OVERLOAD)},"total":${count},"detail":[${detail}]}`;
}
