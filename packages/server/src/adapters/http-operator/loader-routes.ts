// `/core/loader`: the connections of clients, and moving them to other servers. v2 asks for everything with GET and answers bare
// values, v3 moves with POST and answers in the envelope. Source: Nacos 2.5.1 ServerLoaderController, 3.0.3
// ServerLoaderControllerV3; http-v2-v3 contract 6, 8.4.

import { jsonText, type Parameters, RegistryError, TypedParameters } from '@rollcall/protocol';
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
  oneOfTexts,
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
import { selfOf } from '../operator/server-identity.js';
import { loadShifts, loadsJson, type ServerLoad } from '../operator/server-load.js';
import { nodeAddress } from '../peer/node-address.js';
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
/** How far from the average is near enough. */
const LOADER_FACTOR = 0.1;
/** What is done about connections; the same on both versions. */
interface Move {
  readonly name: string;
  readonly summary: string;
  readonly parameters: readonly RouteParameter[];
  /** Answers of v2. */
  readonly words: readonly [done: string, ...failed: string[]];
  /** @returns false when it failed in part */
  readonly run: (request: HttpRequest) => boolean | Promise<boolean>;
}

/** The routes of v2: bare answers, refusals as plain text. */
export function bareLoaderRoutes(options: HttpOperatorOptions): readonly AnswerRoute[] {
  const answers = { body: jsonBody, answer: (json: string) => jsonAnswer(200, json) };
  const moves = movesOf(options).map(
    ({ name, summary, parameters, words, run }): AnswerRoute => ({
      method: 'GET',
      path: `/v2/core/loader/${name}`,
      summary,
      parameters,
      produces: textBody(oneOfTexts(...words)),
      handle: async (request) => {
        // HEAD asks what GET would answer, and must not do what GET does.
        if (request.method === 'HEAD') throw new RegistryError('not-implemented', `no such api:HEAD:${request.path}`);
        const [done, failed = done] = words;
        return textAnswer(200, (await run(request)) ? done : failed);
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
      handle: async (request) => {
        await run(request);
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
  const loads = async (parameters: Parameters): Promise<string> => {
    const here = loadHere(options, figures.read(options.registry.now()));
    if (!parameters.strictBoolean('aggregation', true)) return loadsJson([here], 1);
    return loadsJson(await allLoads(options, here), options.state().members.length);
  };
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
      parameters: [{ name: 'aggregation', description: 'Ask all nodes', type: 'boolean', defaultValue: 'true' }],
      produces: body(LOADS),
      handle: async ({ parameters }) => answer(await loads(parameters)),
    },
  ];
}

function movesOf(options: HttpOperatorOptions): readonly Move[] {
  return [
    {
      name: 'reloadCurrent',
      summary: 'Ask gRPC clients to go elsewhere until so many are left',
      parameters: [{ name: 'count', description: 'How many may stay', type: 'integer', required: true }, REDIRECT],
      words: ['success'],
      run: ({ parameters }) => {
        const count = new TypedParameters(parameters, 'request').requiredInt('count');
        moveSurplus(options, Math.max(0, count), readMoveTarget(parameters, 'redirectAddress'));
        return true;
      },
    },
    {
      name: 'reloadClient',
      summary: 'Ask one gRPC client to go elsewhere; one that is not there is no error',
      parameters: [{ name: 'connectionId', description: 'Its connection', required: true }, REDIRECT],
      words: ['success'],
      run: ({ parameters }) => {
        const id = new TypedParameters(parameters, 'request').requiredText('connectionId');
        moveClient(options, id, readMoveTarget(parameters, 'redirectAddress'));
        return true;
      },
    },
    {
      name: 'smartReloadCluster',
      summary:
        'Ask clients of servers that have many to go to those that have few; a server alone has nothing to even out',
      parameters: [
        {
          name: 'loaderFactor',
          description: 'How far from the average is near enough, as a share of it, 0 to 1',
          type: 'number',
          defaultValue: String(LOADER_FACTOR),
        },
      ],
      words: ['Ok', 'Fail'],
      run: ({ parameters }) => evenOut(options, factorOf(parameters)),
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

function loadHere({ connectedClients, state }: HttpOperatorOptions, { cpu, load }: Omit<Figures, 'mem'>): ServerLoad {
  return { address: selfOf(state()).address, connections: [...connectedClients.all()].length, load, cpu };
}

async function allLoads({ clusterLoads }: HttpOperatorOptions, here: ServerLoad): Promise<readonly ServerLoad[]> {
  const loads = [here, ...((await clusterLoads?.read()) ?? [])];
  return loads.sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** @returns whether all that were to be asked took the request */
async function evenOut(options: HttpOperatorOptions, factor: number): Promise<boolean> {
  const here = loadHere(options, { cpu: 0, load: 0 });
  const shifts = loadShifts(await allLoads(options, here), factor);
  const taken = shifts.map((shift) => {
    if (shift.from !== here.address) return options.clusterLoads?.shift(shift);
    const { host: ip, port } = nodeAddress(shift.to);
    moveSurplus(options, shift.left, { ip, port });
    return true;
  });
  return (await Promise.all(taken)).every((isTaken) => isTaken);
}

function factorOf(parameters: Parameters): number {
  const factor = parameters.double('loaderFactor', LOADER_FACTOR);
  if (factor >= 0 && factor <= 1) return factor;
  const details = { parameter: 'loaderFactor' };
  throw new RegistryError('invalid-parameter', `Param 'loaderFactor': found ${factor}, allowed is 0 to 1`, { details });
}
