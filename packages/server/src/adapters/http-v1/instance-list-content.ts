// What a list of 1.x holds: the answer of a query, and the content of a push. Made once per version of the list and form.
// Source: Nacos 1.4.8 InstanceController.doSrvIpxt; contract 6.

import { clusterNames, instanceListJson, unknownServiceListJson } from '@rollcall/protocol';
import { selectHosts } from '../../core/host-selection.js';
import type { ServiceView } from '../../core/service-view.js';
import { checksumOf } from './checksum.js';

/** The form in which a list is wanted. */
export interface InstanceListForm {
  /** As the client sent it, comma separated; echoed. */
  readonly clusters: string;
  readonly healthyOnly: boolean;
  /** How services are named inside. */
  readonly names: 'grouped' | 'bare';
  /** After how many ms the client should ask again. */
  readonly cacheMillis: number;
  /** Echoed. */
  readonly env: string;
}

/** A list as JSON, with what is left to decide about it. */
export interface InstanceListContent {
  readonly json: string;
  /** Whether it shows no host. */
  readonly empty: boolean;
  /** Whether the wanted clusters hold no instance at all, disabled ones included. */
  readonly nothingSelected: boolean;
}

/** Makes the list of a view. */
export function instanceListContent(view: ServiceView, form: InstanceListForm): InstanceListContent {
  const { clusters, healthyOnly, names, cacheMillis, env } = form;
  const selection = selectHosts(view, { clusters: clusterNames(clusters), healthyOnly, dialect: 'v1' });
  const json = instanceListJson(
    {
      service: view.key,
      metadata: view.definition.metadata,
      names,
      clusters,
      env,
      cacheMillis,
      lastRefTime: view.refTime,
      checksum: checksumOf(view),
      health: selection.protecting ? 'all-healthy' : 'real',
    },
    selection.hosts,
  );
  return { json, empty: selection.hosts.length === 0, nothingSelected: selection.empty };
}

/**
 * JSON of the list that a subscriber is sent: what its query would be answered while the view is in force.
 *
 * @param form - without what only a query has
 */
export function pushedListJson(
  view: ServiceView,
  { clusters, names, cacheMillis }: Pick<InstanceListForm, 'clusters' | 'names' | 'cacheMillis'>,
): string {
  if (!view.known) return unknownServiceListJson({ service: view.key, clusters, cacheMillis });
  return instanceListContent(view, { clusters, names, cacheMillis, healthyOnly: false, env: '' }).json;
}
