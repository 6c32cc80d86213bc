// Metrics of the registry itself: what it holds, and what changes in it.

import { byLabel, labelled, type MetricGroup, single } from './metric.js';

/** The metrics. */
export const REGISTRY_METRICS: MetricGroup = {
  title: 'Registry',
  metrics: [
    labelled(
      'gauge',
      { name: 'rollcall_info', help: 'Always 1; the label says which version runs.', labels: ['version'] },
      ({ version }) => [{ value: 1, labels: { version } }],
    ),
    single(
      'gauge',
      {
        name: 'rollcall_up',
        help: '1 while the server serves, 0 while an operator has taken it out, wholly or in part.',
      },
      ({ core }) => ((core.switches.overriddenServerStatus ?? 'UP') === 'UP' ? 1 : 0),
    ),
    single(
      'gauge',
      { name: 'rollcall_namespaces', help: 'Namespaces, `public` included.' },
      ({ core }) => core.namespaces.size + 1,
    ),
    single(
      'gauge',
      { name: 'rollcall_services', help: 'Services of all namespaces, empty ones included.' },
      ({ registry }) => registry.services,
    ),
    single(
      'gauge',
      { name: 'rollcall_services_empty', help: 'Services without instances.' },
      ({ registry }) => registry.emptyServices,
    ),
    single(
      'gauge',
      {
        name: 'rollcall_services_protected',
        help: 'Services with so few healthy instances that their threshold shows all of them as healthy.',
      },
      ({ registry }) => registry.protectedServices,
    ),
    labelled(
      'gauge',
      {
        name: 'rollcall_instances',
        help: 'Instances by kind (`ephemeral`, `persistent`) and real health (`healthy`, `unhealthy`).',
        labels: ['kind', 'health'],
      },
      ({ registry: { instances } }) =>
        Object.entries(instances).flatMap(([kind, counts]) =>
          Object.entries(counts).map(([health, value]) => ({ value, labels: { kind, health } })),
        ),
    ),
    single(
      'gauge',
      { name: 'rollcall_instances_disabled', help: 'Instances that are registered but not listed.' },
      ({ registry }) => registry.disabledInstances,
    ),
    labelled(
      'counter',
      {
        name: 'rollcall_instance_changes_total',
        help: 'Changes of instances by what happened and why; a beat that changes nothing is not among them.',
        labels: ['event', 'cause'],
      },
      function* ({ events }) {
        for (const [event, causes] of events.instances) {
          for (const [cause, value] of causes) yield { value, labels: { event, cause } };
        }
      },
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_service_changes_total',
        help: 'Services that appeared, were defined (created or changed by somebody), or vanished.',
        label: 'event',
      },
      ({ events }) => events.services,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_beats_total',
        help: 'Beats by outcome: `known`, or `unknown` for instances that are asked to register again.',
        label: 'outcome',
      },
      ({ core }) => Object.entries(core.beats),
    ),
  ],
};
