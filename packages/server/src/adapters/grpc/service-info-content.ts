// A service as it is shown to connections: made once per version of the list and form, for answers and pushes alike. When
// thousands come back at once, most of the work would be to write the same list for each of them.

import { clusterNames, framedPayload, type ServiceKey, serviceInfoJson, success } from '@rollcall/protocol';
import { selectHosts } from '../../core/host-selection.js';
import type { ServiceView } from '../../core/service-view.js';
import type { RegistryAccess } from '../registry-access.js';
import type { UnaryAnswer } from './unary-dispatch.js';

/** What a query wants to see. */
export interface ServiceInfoQuery {
  /** Undefined when the request named no service. */
  readonly service: ServiceKey | undefined;
  /** Names as they were sent; echoed. */
  readonly named: { readonly name: string | undefined; readonly groupName: string | undefined };
  /** As sent; undefined is all, and left out of the answer. */
  readonly clusters: string | undefined;
  readonly healthyOnly: boolean;
}

/** What stands in front of the list in the answers that have one. */
const MEMBERS_BEFORE = { QueryServiceResponse: '', SubscribeServiceResponse: ',"message":"success"' } as const;

/** How a list is shown. */
interface ListForm {
  /** As sent; undefined is all, and left out of the list. */
  readonly clusters: string | undefined;
  readonly healthyOnly: boolean;
  readonly cacheMillis: number;
}

/** The answer to a query. A service that is not there has no hosts; it is no error. */
export function serviceInfoAnswer(
  registry: RegistryAccess,
  type: keyof typeof MEMBERS_BEFORE,
  query: ServiceInfoQuery,
): UnaryAnswer {
  const { service, named, clusters, healthyOnly } = query;
  const { core } = registry;
  const cacheMillis = core.switches.defaultPushCacheMillis;
  const answerWith = (info: string) => success(type, `${MEMBERS_BEFORE[type]},"serviceInfo":${info}`);
  const view = service === undefined ? undefined : core.view(service.id);
  if (view === undefined) {
    // Clients drop a push that is not newer than what they have: the first list of the service must be.
    const lastRefTime = registry.now().wall - 1;
    return answerWith(serviceInfoJson({ ...named, clusters, cacheMillis, lastRefTime, health: 'real' }, []));
  }
  const form = { clusters, healthyOnly, cacheMillis };
  return view.prepared(`${type}|${nameOf(form)}`, () =>
    framedPayload(type, answerWith(serviceInfoOfView(view, form)).json),
  );
}

/** The JSON of a version of the list. */
export function serviceInfoOfView(view: ServiceView, form: ListForm): string {
  const { clusters, healthyOnly, cacheMillis } = form;
  return view.prepared(`grpc|${nameOf(form)}`, () => {
    const selection = selectHosts(view, { clusters: clusterNames(clusters ?? ''), healthyOnly, dialect: 'v2' });
    return serviceInfoJson(
      {
        name: view.key.name,
        groupName: view.key.group,
        clusters,
        cacheMillis,
        lastRefTime: view.refTime,
        health: selection.protecting ? 'all-healthy' : 'real',
      },
      selection.hosts,
    );
  });
}

function nameOf({ clusters, healthyOnly, cacheMillis }: ListForm): string {
  return `${healthyOnly}|${cacheMillis}|${clusters ?? '\0'}`;
}
