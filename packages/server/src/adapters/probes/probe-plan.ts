// What is to be probed on an instance, from the definition of its cluster as it is now.

import type { HealthChecker } from '@rollcall/protocol';
import type { Address } from '../../core/instance-address.js';
import type { Service } from '../../core/service.js';
import type { ProbeIntervals, Switches } from '../../core/switches.js';
import type { ProbeType } from './probe-counters.js';

/** One kind of probe at one port. */
export interface ProbePlan {
  readonly checker: Extract<HealthChecker, { type: ProbeType }>;
  readonly port: number;
}

const TCP = { type: 'TCP' } as const;

/** The plan for an instance; undefined when its cluster has the checker `NONE`. Without definition: TCP at its own port. */
export function probePlanOf(service: Service, { cluster, port }: Address): ProbePlan | undefined {
  const definition = service.definition.clusters.get(cluster);
  if (definition === undefined) return { checker: TCP, port };
  const { healthChecker: checker, useInstancePort, checkPort } = definition;
  return checker.type === 'NONE' ? undefined : { checker, port: useInstancePort ? port : checkPort };
}

/** Bounds of the interval between probes of a checker. */
export function probeIntervalsOf(type: ProbeType, switches: Switches): ProbeIntervals {
  switch (type) {
    case 'TCP':
      return switches.tcpHealthParams;
    case 'HTTP':
      return switches.httpHealthParams;
    case 'MYSQL':
      return switches.mysqlHealthParams;
  }
}
