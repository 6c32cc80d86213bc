// Metrics of subscribers, and of what they are sent.

import { byLabel, labelled, type MetricGroup, single } from './metric.js';

const TRANSPORTS = ['udp', 'stream'] as const;
const PUSH_EVENTS = {
  sent: 'sent',
  resent: 'resent',
  acknowledged: 'acknowledged',
  givenUp: 'given-up',
  failed: 'failed',
} as const;

/** The metrics. */
export const PUSH_METRICS: MetricGroup = {
  title: 'Subscribers and pushes',
  metrics: [
    byLabel(
      'gauge',
      {
        name: 'rollcall_subscribers',
        help: 'Subscriptions by transport: `udp` for 1.x clients, `stream` for gRPC connections.',
        label: 'transport',
      },
      ({ registry }) => Object.entries(registry.subscribers),
    ),
    labelled(
      'counter',
      {
        name: 'rollcall_subscription_changes_total',
        help: 'Subscriptions that began, ended, or were forgotten because their client did not ask again.',
        labels: ['event', 'transport'],
      },
      function* ({ events }) {
        for (const [event, transports] of events.subscriptions) {
          for (const [transport, value] of transports) yield { value, labels: { event, transport } };
        }
      },
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_subscriptions_refused_total',
        help: 'Queries that asked for pushes and were answered without them, by reason.',
        label: 'reason',
      },
      ({ pushes }) => pushes.refused,
    ),
    labelled(
      'counter',
      {
        name: 'rollcall_pushes_total',
        help: 'Pushes by transport and what became of them; one that is lost is sent, resent, and given up.',
        labels: ['transport', 'event'],
      },
      ({ pushes }) =>
        TRANSPORTS.flatMap((transport) =>
          Object.entries(PUSH_EVENTS).map(([counter, event]) => ({
            value: pushes[transport][counter as keyof typeof PUSH_EVENTS],
            labels: { transport, event },
          })),
        ),
    ),
    single(
      'gauge',
      { name: 'rollcall_pushes_outstanding', help: 'Pushes that wait for their acknowledgement.' },
      ({ core }) => core.counts.outstandingPushes,
    ),
    labelled(
      'histogram',
      {
        name: 'rollcall_push_acknowledge_seconds',
        help: 'Time from the last send of a push to its acknowledgement.',
        unit: 'seconds',
        labels: ['transport'],
      },
      function* ({ events }) {
        for (const transport of TRANSPORTS) yield* events.acknowledged[transport].samples({ transport });
      },
    ),
    byLabel(
      'counter',
      { name: 'rollcall_udp_datagrams_total', help: 'Datagrams `sent` and `received`.', label: 'direction' },
      ({ udp }) => [
        ['sent', udp.datagrams],
        ['received', udp.received],
      ],
    ),
    single(
      'counter',
      { name: 'rollcall_udp_sent_bytes_total', help: 'Bytes of all datagrams that were sent.', unit: 'bytes' },
      ({ udp }) => udp.bytes,
    ),
    single(
      'gauge',
      {
        name: 'rollcall_udp_last_round_seconds',
        help: 'From a change to the last datagram that it caused, in the last round of pushes.',
        unit: 'seconds',
      },
      ({ udp }) => udp.lastRoundMs / 1000,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_udp_dropped_total',
        help: 'Datagrams not sent because the list is `too-large` or the push became `needless`, and received ones that are `oversized` or `unreadable`.',
        label: 'reason',
      },
      ({ udp }) => [
        ['too-large', udp.tooLarge],
        ['needless', udp.needless],
        ['oversized', udp.oversized],
        ['unreadable', udp.unreadable],
      ],
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_udp_socket_errors_total',
        help: 'Errors of the UDP socket by code of the system.',
        label: 'code',
      },
      ({ udp }) => udp.socketErrors,
    ),
  ],
};
