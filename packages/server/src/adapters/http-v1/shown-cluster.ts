// The clusters of a service as answers show them: what somebody defined, defaults for the others.

import { NO_METADATA, type ShownCluster, TCP_CHECKER } from '@rollcall/protocol';
import type { ServiceView } from '../../core/service-view.js';

/** All clusters of a service, in the order of the view. */
export function shownClusters(view: ServiceView): readonly ShownCluster[] {
  return view.clusters.map(
    (name) =>
      view.definition.clusters.get(name) ?? {
        name,
        healthChecker: TCP_CHECKER,
        checkPort: 80,
        useInstancePort: true,
        metadata: NO_METADATA,
      },
  );
}
