// `/instance/list`: asking for the instances of a service, and asking to be told when they change.
// Source: Nacos 1.4.8 InstanceController.list; contract 6.

import {
  CHECK_ONLY_ANSWER,
  detached,
  type InstanceListQuery,
  keptServiceKey,
  readInstanceListQuery,
  unknownServiceListJson,
} from '@rollcall/protocol';
import type { ServiceView } from '../../core/service-view.js';
import { preparedAnswer } from '../http/answer-head.js';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { HttpRequest } from '../http/http-request.js';
import type { Route } from '../http/route.js';
import { noteReader } from '../list-readers.js';
import type { PushTargets } from '../push-targets.js';
import { AgentMemory, type KnownAgent } from './agent-memory.js';
import { LIST_BODY } from './answer-schemas.js';
import { actorOf, type HttpV1Context } from './http-v1-context.js';
import { instanceListContent } from './instance-list-content.js';
import { type Following, UdpSubscriptions } from './udp-subscriptions.js';

/** Answers that echo longer texts are made for one request only: they would fill the memory of a view with echoes. */
const PREPARED_ECHO_LENGTH = 128;

/** The route. @param pushTargets - addresses to which pushes may go */
export function instanceListRoutes(context: HttpV1Context, pushTargets: PushTargets): readonly Route[] {
  const lists = new InstanceLists(context, pushTargets);
  return [
    {
      method: 'GET',
      path: '/v1/ns/instance/list',
      summary: 'List the enabled instances of a service; with udpPort, be told of changes',
      produces: LIST_BODY,
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

/** An answer that is kept with a view. */
interface ListAnswer {
  readonly answer: HttpAnswer;
  readonly empty: boolean;
  readonly nothingSelected: boolean;
}

/** A query with the names of its four forms, which a view keeps answers by; a text that is kept is hashed once. */
interface KnownQuery extends InstanceListQuery {
  readonly forms: Readonly<Record<KnownAgent['names'], Readonly<Record<Following, string>>>>;
}

/** Answers list queries. */
class InstanceLists {
  readonly #context: HttpV1Context;
  readonly #subscriptions: UdpSubscriptions;
  readonly #agents = new AgentMemory();

  constructor(context: HttpV1Context, pushTargets: PushTargets) {
    this.#context = context;
    this.#subscriptions = new UdpSubscriptions(context.registry, pushTargets);
  }

  answer(request: HttpRequest): HttpAnswer {
    const query = this.#queryOf(request);
    const agent = this.#agents.of(request);
    const following = query.udpPort > 0 && request.method === 'GET' ? this.#subscribe(request, query, agent) : 'poll';
    return this.#listAnswer(query, agent, following, request.remoteAddress);
  }

  #queryOf({ memo, parameters }: HttpRequest): KnownQuery {
    const known = memo?.value as KnownQuery | undefined;
    if (known !== undefined) return known;
    const query = readInstanceListQuery(parameters, this.#context.rules);
    if (memo === undefined) return knownQuery(query);
    const kept = knownQuery(keptQuery(query));
    memo.value = kept;
    return kept;
  }

  #listAnswer(query: KnownQuery, agent: KnownAgent, following: Following, address: string): HttpAnswer {
    const view = this.#context.registry.core.view(query.service.id);
    if (view === undefined) {
      const cacheMillis = this.#cacheMillis(following);
      return jsonAnswer(200, unknownServiceListJson({ service: query.service, clusters: query.clusters, cacheMillis }));
    }
    if (following === 'poll')
      noteReader(this.#context.registry, view, { clusters: query.clusters, address, via: 'http-v1' });
    const list = this.#listOf(view, query, agent, following);
    return query.checkOnly && !list.nothingSelected ? jsonAnswer(200, CHECK_ONLY_ANSWER) : list.answer;
  }

  /** The list of a view; the usual forms are kept with it. Changed switches drop all views, so they are not in the name of a form. */
  #listOf(view: ServiceView, query: KnownQuery, { names }: KnownAgent, following: Following): ListAnswer {
    const { clusters, healthyOnly, env } = query;
    const make = (): ListAnswer => {
      const cacheMillis = this.#cacheMillis(following);
      const { json, ...rest } = instanceListContent(view, { clusters, healthyOnly, names, cacheMillis, env });
      return { answer: jsonAnswer(200, json), ...rest };
    };
    if (env !== '' || clusters.length > PREPARED_ECHO_LENGTH) return make();
    return view.prepared(query.forms[names][following], () => {
      const made = make();
      return { ...made, answer: preparedAnswer(made.answer) };
    });
  }

  #cacheMillis(following: Following): number {
    const { defaultCacheMillis, defaultPushCacheMillis } = this.#context.registry.core.switches;
    return following === 'push' ? defaultPushCacheMillis : defaultCacheMillis;
  }

  #subscribe(request: HttpRequest, query: KnownQuery, known: KnownAgent): Following {
    const isEmpty = (): boolean => {
      const view = this.#context.registry.core.view(query.service.id);
      return view === undefined || this.#listOf(view, query, known, 'push').empty;
    };
    return this.#subscriptions.subscribe(query, { agent: known.agent, actor: actorOf(request), isEmpty });
  }
}

function knownQuery(query: InstanceListQuery): KnownQuery {
  const rest = `${query.healthyOnly} ${query.clusters}`;
  return {
    ...query,
    forms: {
      bare: { poll: `v1-list bare poll ${rest}`, push: `v1-list bare push ${rest}` },
      grouped: { poll: `v1-list grouped poll ${rest}`, push: `v1-list grouped push ${rest}` },
    },
  };
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
