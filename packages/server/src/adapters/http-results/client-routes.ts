// `/client`: which clients there are, and what they publish and subscribe; on v2 and v3.
// Source: Nacos 2.5.1 ClientInfoControllerV2, 3.0.3 ClientControllerV3; contract 5.5, 7.4.

import {
  type ClientAnswers,
  jsonText,
  type Parameters,
  readNamedService,
  type ServiceKey,
  TypedParameters,
} from '@rollcall/protocol';
import type { AnswerDescription } from '../http/answer-description.js';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import type { AnswerRoute, RouteParameter } from '../http/route.js';
import { TEXTS_RESULT_BODY } from './answer-schemas.js';
import type { ClientDirectory } from './client-directory.js';
import { goodResult, listResult } from './result-answer.js';

/** What v2 and v3 have of their own. */
export interface ClientRouteForm {
  /** Such as `/v2/ns/client`. */
  readonly path: string;
  readonly answers: ClientAnswers;
  readonly bodies: Readonly<Record<keyof ClientAnswers, AnswerDescription>>;
  /** Whether `ephemeral` chooses the kind of publishers. */
  readonly filtersByKind: 'by-kind' | 'all-kinds';
}

const CLIENT: readonly RouteParameter[] = [{ name: 'clientId', description: 'Id from the list', required: true }];
const ADDRESS: readonly RouteParameter[] = [
  ...SERVICE_PARAMETERS,
  { name: 'ip', description: 'Only this address' },
  { name: 'port', description: 'Only this port', type: 'integer' },
];
const KIND: RouteParameter = {
  name: 'ephemeral',
  description: 'Kind of the instances',
  type: 'boolean',
  defaultValue: 'true',
};

/** The routes. */
export function clientRoutes(directory: ClientDirectory, form: ClientRouteForm): readonly AnswerRoute[] {
  const { path, answers, bodies } = form;
  const kinds = form.filtersByKind === 'by-kind' ? [KIND] : [];
  return [
    {
      method: 'GET',
      path: `${path}/list`,
      summary: 'Ids of all clients: connections, and one per address and kind of what was registered over HTTP',
      produces: TEXTS_RESULT_BODY,
      handle: async () => listResult(await directory.ids(), jsonText),
    },
    {
      method: 'GET',
      path,
      summary: 'Read one client',
      produces: bodies.client,
      parameters: CLIENT,
      handle: async ({ parameters }) => goodResult(answers.client(await directory.client(clientIdIn(parameters)))),
    },
    {
      method: 'GET',
      path: `${path}/publish/list`,
      summary: 'What a client registered',
      produces: bodies.publication,
      parameters: CLIENT,
      handle: async ({ parameters }) =>
        listResult(await directory.publications(clientIdIn(parameters)), answers.publication),
    },
    {
      method: 'GET',
      path: `${path}/subscribe/list`,
      summary: 'What a client subscribes',
      produces: bodies.subscription,
      parameters: CLIENT,
      handle: async ({ parameters }) =>
        listResult(await directory.subscriptions(clientIdIn(parameters)), answers.subscription),
    },
    {
      method: 'GET',
      path: `${path}/service/publisher/list`,
      summary: 'Who registered instances of a service',
      produces: bodies.publisher,
      parameters: [...ADDRESS, ...kinds],
      handle: ({ parameters }) => {
        const query = readAddressQuery(parameters);
        const kind = query.ephemeral === false ? 'persistent' : 'ephemeral';
        const found = directory
          .publishersOf(query.service)
          .filter((line) => isWanted(line, query) && (kinds.length === 0 || line.kind === kind));
        return listResult(found, answers.publisher);
      },
    },
    {
      method: 'GET',
      path: `${path}/service/subscriber/list`,
      summary: 'Who subscribes a service',
      produces: bodies.subscriber,
      parameters: [...ADDRESS, ...kinds],
      handle: ({ parameters }) => {
        const query = readAddressQuery(parameters);
        const found = directory.subscribersOf(query.service).filter((line) => isWanted(line, query));
        return listResult(found, answers.subscriber);
      },
    },
  ];
}

/** Which addresses of a service are asked for. */
interface AddressQuery {
  readonly service: ServiceKey;
  /** Undefined for all. */
  readonly ip: string | undefined;
  readonly port: number | undefined;
  readonly ephemeral: boolean | undefined;
}

function clientIdIn(parameters: Parameters): string {
  return new TypedParameters(parameters, 'request').requiredText('clientId');
}

function readAddressQuery(parameters: Parameters): AddressQuery {
  const typed = new TypedParameters(parameters, 'request');
  return {
    service: readNamedService(parameters, 'request'),
    ip: typed.text('ip'),
    port: typed.int('port'),
    ephemeral: typed.boolean('ephemeral'),
  };
}

function isWanted(line: { readonly ip: string; readonly port: number }, { ip, port }: AddressQuery): boolean {
  return (ip === undefined || line.ip === ip) && (port === undefined || line.port === port);
}
