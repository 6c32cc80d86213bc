// `/instance/list`: asking for the instances of a service, and asking to be told when they change.
// Source: Nacos 1.4.8 InstanceController.list; contract 6.

import {
  CHECK_ONLY_ANSWER,
  detached,
  type InstanceListQuery,
  keptServiceKey,
  PORT_MAX,
  pushAllowed,
  pushThresholds,
  readInstanceListQuery,
  unknownServiceListJson,
} from '@rollcall/protocol';
import type { ServiceView } from '../../core/service-view.js';
import { preparedAnswer } from '../http/answer-head.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { AgentMemory, type KnownAgent } from './agent-memory.js';
import { SERVICE_PARAMETERS } from './described-parameters.js';
import type { HttpV1Context } from './http-v1-context.js';
import { instanceListContent } from './instance-list-content.js';
import { pushTarget } from './push-target.js';

/** Answers that echo longer texts are made for one request only: they would fill the memory of a view with echoes. */
const PREPARED_ECHO_LENGTH = 128;

/** The route. */
export function instanceListRoutes(context: HttpV1Context): readonly Route[] {
  const lists = new InstanceLists(context);
  return [
    {
      method: 'GET',
      path: '/v1/ns/instance/list',
      summary: 'List the enabled instances of a service; with udpPort, be told of changes',
      parameters: [
        ...SERVICE_PARAMETERS,
        { name: 'clusters', description: 'Comma separated clusters; all when empty' },
        { name: 'healthyOnly', description: 'Leave out unhealthy ones', type: 'boolean', defaultValue: 'false' },
        { name: 'udpPort', description: 'UDP port for pushes, 1 to 65535', type: 'integer' },
        { name: 'clientIP', description: 'Address for pushes', defaultValue: "the requester's" },
        { name: 'app', description: 'Application of the subscriber' },
        { name: 'env', description: 'Echoed in the answer' },
      ],
      repeated: true,
      handle: (request) => lists.answer(request),
    },
  ];
}

/** `poll`: the client asks again soon. `push`: it is told of changes and asks rarely. */
type Following = 'poll' | 'push';

/** An answer that is kept with a view. */
interface ListAnswer {
  readonly answer: HttpAnswer;
  readonly empty: boolean;
  readonly nothingSelected: boolean;
}

/** Answers list queries. */
class InstanceLists {
  readonly #context: HttpV1Context;
  readonly #agents = new AgentMemory();

  constructor(context: HttpV1Context) {
    this.#context = context;
  }

  answer(request: HttpRequest): HttpAnswer {
    const query = this.#queryOf(request);
    const agent = this.#agents.of(request);
    const following = query.udpPort > 0 && request.method === 'GET' ? this.#subscribe(request, query, agent) : 'poll';
    return this.#listAnswer(query, agent, following);
  }

  #queryOf({ memo, parameters }: HttpRequest): InstanceListQuery {
    const known = memo?.value as InstanceListQuery | undefined;
    if (known !== undefined) return known;
    const query = readInstanceListQuery(parameters, this.#context.rules);
    if (memo !== undefined) memo.value = keptQuery(query);
    return query;
  }

  #listAnswer(query: InstanceListQuery, agent: KnownAgent, following: Following): HttpAnswer {
    const view = this.#context.registry.core.view(query.service.id);
    if (view === undefined) {
      const cacheMillis = this.#cacheMillis(following);
      return jsonAnswer(200, unknownServiceListJson({ service: query.service, clusters: query.clusters, cacheMillis }));
    }
    const list = this.#listOf(view, query, agent, following);
    return query.checkOnly && !list.nothingSelected ? jsonAnswer(200, CHECK_ONLY_ANSWER) : list.answer;
  }

  /** The list of a view; the usual forms are kept with it. Changed switches drop all views, so they are not in the name of a form. */
  #listOf(view: ServiceView, query: InstanceListQuery, { names }: KnownAgent, following: Following): ListAnswer {
    const { clusters, healthyOnly, env } = query;
    const make = (): ListAnswer => {
      const cacheMillis = this.#cacheMillis(following);
      const { json, ...rest } = instanceListContent(view, { clusters, healthyOnly, names, cacheMillis, env });
      return { answer: jsonAnswer(200, json), ...rest };
    };
    if (env !== '' || clusters.length > PREPARED_ECHO_LENGTH) return make();
    return view.prepared(`v1-list ${names} ${following} ${healthyOnly} ${clusters}`, () => {
      const made = make();
      return { ...made, answer: preparedAnswer(made.answer) };
    });
  }

  #cacheMillis(following: Following): number {
    const { defaultCacheMillis, defaultPushCacheMillis } = this.#context.registry.core.switches;
    return following === 'push' ? defaultPushCacheMillis : defaultCacheMillis;
  }

  /** Subscribes the requester when it can be pushed to; else it has to poll. */
  #subscribe(request: HttpRequest, query: InstanceListQuery, known: KnownAgent): Following {
    const { registry } = this.#context;
    const { core } = registry;
    const ip = pushTarget(query.clientIp, request.remoteAddress);
    if (ip === undefined || query.udpPort > PORT_MAX || !core.switches.pushEnabled) return 'poll';
    if (!pushAllowed(known.agent, pushThresholds(core.switches))) return 'poll';
    const view = core.view(query.service.id);
    const result = registry.step({
      type: 'subscribe-udp',
      service: query.service,
      query: { ip, port: query.udpPort, clusters: query.clusters, agent: known.agent.text, app: query.app },
      answerEmpty: view === undefined || this.#listOf(view, query, known, 'push').empty,
    });
    return result.subscribed ? 'push' : 'poll';
  }
}

/** A copy that does not keep its request alive. A query for pushes is one already. */
function keptQuery(query: InstanceListQuery): InstanceListQuery {
  if (query.udpPort > 0) return { ...query, env: detached(query.env) };
  return {
    ...query,
    service: keptServiceKey(query.service),
    clusters: detached(query.clusters),
    clientIp: detached(query.clientIp),
    env: detached(query.env),
    app: detached(query.app),
  };
}
