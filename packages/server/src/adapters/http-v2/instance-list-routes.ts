// `/v2/ns/instance/list`: the instances of a service, and pushes over UDP for who asks for them.
// Source: Nacos 2.5.1 InstanceControllerV2.list, InstanceOperatorClientImpl.listInstance; contract 5.3.

import { clusterNames, hostListJson, type PushedHostListQuery, readPushedHostListQuery } from '@rollcall/protocol';
import { selectHosts } from '../../core/host-selection.js';
import type { ServiceView } from '../../core/service-view.js';
import { preparedAnswer } from '../http/answer-head.js';
import { SERVICE_PARAMETERS } from '../http/described-parameters.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { AnswerRoute } from '../http/route.js';
import { HOST_LIST_BODY } from '../http-results/answer-schemas.js';
import { type HttpResultContext, resultActor } from '../http-results/http-result-context.js';
import { goodResult } from '../http-results/result-answer.js';
import { hostsJson } from '../http-results/shown-hosts.js';
import { AgentMemory } from '../http-v1/agent-memory.js';
import { UdpSubscriptions } from '../http-v1/udp-subscriptions.js';
import { noteReader } from '../list-readers.js';
import type { PushTargets } from '../push-targets.js';

/** Answers that echo longer texts are not kept: they would fill the memory of a view with echoes. */
const PREPARED_ECHO_LENGTH = 128;

/** The route. @param pushTargets - addresses to which pushes may go */
export function instanceListRoutes(context: HttpResultContext, pushTargets: PushTargets): readonly AnswerRoute[] {
  const subscriptions = new UdpSubscriptions(context.registry, pushTargets);
  const agents = new AgentMemory();
  return [
    {
      method: 'GET',
      path: '/v2/ns/instance/list',
      summary: 'List the enabled instances of a service; with port, be told of changes',
      parameters: [
        ...SERVICE_PARAMETERS,
        { name: 'clusterName', description: 'Comma separated clusters; all when empty' },
        { name: 'healthyOnly', description: 'Leave out unhealthy ones', type: 'boolean', defaultValue: 'false' },
        { name: 'port', description: 'UDP port for pushes, 1 to 65535', type: 'integer' },
        { name: 'ip', description: 'Address for pushes', defaultValue: "the requester's" },
        { name: 'app', description: 'Application of the subscriber' },
      ],
      produces: HOST_LIST_BODY,
      handle: (request) => {
        const query = readPushedHostListQuery(request.parameters);
        if (query.udpPort > 0 && request.method === 'GET') {
          const { agent } = agents.of(request);
          const isEmpty = (): boolean => showsNoHost(context, query);
          subscriptions.subscribe(query, { agent, actor: resultActor(context, request), isEmpty });
        } else noteQuery(context, query, request.remoteAddress);
        return listAnswer(context, query);
      },
    },
  ];
}

/** Nobody is pushed for this query: the client learns by asking. */
function noteQuery({ registry }: HttpResultContext, { service, clusters }: PushedHostListQuery, address: string): void {
  const view = registry.core.view(service.id);
  if (view !== undefined) noteReader(registry, view, { clusters, address, via: 'http-v2' });
}

function showsNoHost({ registry }: HttpResultContext, query: PushedHostListQuery): boolean {
  const view = registry.core.view(query.service.id);
  return view === undefined || selectedHosts(view, query).hosts.length === 0;
}

function selectedHosts(view: ServiceView, { clusters, healthyOnly }: PushedHostListQuery) {
  return selectHosts(view, { clusters: clusterNames(clusters), healthyOnly, dialect: 'v2' });
}

/** A service that is not there has no hosts; it is no error. The switches drop all views, so they are not in the name of a form. */
function listAnswer({ registry }: HttpResultContext, query: PushedHostListQuery): HttpAnswer {
  const { service, clusters, healthyOnly } = query;
  const cacheMillis = registry.core.switches.defaultPushCacheMillis;
  const view = registry.core.view(service.id);
  if (view === undefined) {
    const lastRefTime = registry.now().wall;
    return goodResult(hostListJson({ service, clusters, cacheMillis, lastRefTime, protecting: false }, '[]'));
  }
  const make = (): HttpAnswer => {
    const { hosts, protecting } = selectedHosts(view, query);
    const frame = { service: view.key, clusters, cacheMillis, lastRefTime: view.refTime, protecting };
    return goodResult(
      hostListJson(frame, hostsJson(view.key, hosts, { health: protecting ? 'all-healthy' : 'real', ids: 'all' })),
    );
  };
  if (clusters.length > PREPARED_ECHO_LENGTH) return make();
  return view.prepared(`v2-list ${healthyOnly} ${clusters}`, () => preparedAnswer(make()));
}
