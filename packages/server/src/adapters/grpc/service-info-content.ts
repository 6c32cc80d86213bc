// A service as it is shown to connections: made once per version of the list and form, for answers and pushes alike.

import { clusterNames, type ServiceKey, serviceInfoJson } from '@rollcall/protocol';
import { selectHosts } from '../../core/host-selection.js';
import type { ServiceView } from '../../core/service-view.js';
import type { RegistryAccess } from '../registry-access.js';

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

/** The JSON for a query. A service that is not there has no hosts; it is no error. */
export function serviceInfoOf(registry: RegistryAccess, query: ServiceInfoQuery): string {
  const { service, named, clusters, healthyOnly } = query;
  const { core } = registry;
  const cacheMillis = core.switches.defaultPushCacheMillis;
  const view = service === undefined ? undefined : core.view(service.id);
  if (view === undefined) {
    // Clients drop a push that is not newer than what they have: the first list of the service must be.
    const lastRefTime = registry.now().wall - 1;
    return serviceInfoJson({ ...named, clusters, cacheMillis, lastRefTime, health: 'real' }, []);
  }
  return serviceInfoOfView(view, { clusters, healthyOnly, cacheMillis });
}

/** The JSON of a version of the list. */
export function serviceInfoOfView(
  view: ServiceView,
  form: { readonly clusters: string | undefined; readonly healthyOnly: boolean; readonly cacheMillis: number },
): string {
  const { clusters, healthyOnly, cacheMillis } = form;
  return view.prepared(`grpc|${healthyOnly}|${cacheMillis}|${clusters ?? '\0'}`, () => {
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
