// Metrics of HTTP and gRPC traffic.

import { byLabel, labelled, type MetricGroup, single } from './metric.js';
import { routeAnswers } from './route-answers.js';

/** Metrics of HTTP. */
export const HTTP_METRICS: MetricGroup = {
  title: 'HTTP',
  metrics: [
    labelled(
      'counter',
      {
        name: 'rollcall_http_requests_total',
        help: 'Answered requests by method, route (the pattern, never the raw path) and status.',
        labels: ['method', 'route', 'status'],
      },
      ({ routes }) => routeAnswers(routes),
    ),
    labelled(
      'counter',
      {
        name: 'rollcall_http_handler_seconds_total',
        help: 'Time from the end of a request to its answer being ready, by route; every 64th request is timed and stands for those between.',
        unit: 'seconds',
        labels: ['method', 'route'],
      },
      function* ({ routes }) {
        for (const { method, path: route, counts } of routes) {
          let tookMs = 0;
          for (const ofStatus of counts?.tookMs.values() ?? []) tookMs += ofStatus;
          if (counts !== undefined && counts.answers > 0) yield { value: tookMs / 1000, labels: { method, route } };
        }
      },
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_http_lane_requests_total',
        help: 'Requests by lane: `fast`, or `node` for what the fast one does not surely understand.',
        label: 'lane',
      },
      ({ http: { counters } }) => [
        ['fast', counters.fastRequests],
        ['node', counters.nodeRequests],
      ],
    ),
    single(
      'counter',
      { name: 'rollcall_http_unrouted_requests_total', help: 'Requests for which there is no route.' },
      ({ http }) => http.counters.unroutedRequests,
    ),
    single(
      'counter',
      { name: 'rollcall_http_handler_faults_total', help: 'Requests that failed through a fault of this server.' },
      ({ http }) => http.counters.handlerFaults,
    ),
    single(
      'gauge',
      { name: 'rollcall_http_connections', help: 'Open connections, those of gRPC included.' },
      ({ http }) => http.counters.openConnections,
    ),
    single(
      'counter',
      { name: 'rollcall_http_connections_total', help: 'Accepted connections.' },
      ({ http }) => http.counters.connections,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_http_lane_changes_total',
        help: 'Connections that left the fast lane, by reason.',
        label: 'reason',
      },
      ({ http }) => http.counters.handedOver,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_http_refused_total',
        help: 'Connections and requests refused or closed before they reached a route, by reason; `idle` is normal.',
        label: 'reason',
      },
      ({ http }) => http.counters.refused,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_http_bytes_total',
        help: 'Bytes `received` and `sent` on all connections.',
        unit: 'bytes',
        label: 'direction',
      },
      ({ http: { traffic } }) => [
        ['received', traffic.readBytes],
        ['sent', traffic.writtenBytes],
      ],
    ),
  ],
};

/** Metrics of gRPC. */
export const GRPC_METRICS: MetricGroup = {
  title: 'gRPC',
  metrics: [
    single(
      'gauge',
      { name: 'rollcall_grpc_connections', help: 'Connections that publish or subscribe.' },
      ({ core }) => core.counts.connections,
    ),
    single(
      'counter',
      { name: 'rollcall_grpc_connections_total', help: 'Accepted connections.' },
      ({ grpc }) => grpc.accepted,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_grpc_messages_total',
        help: 'Messages received as `unary` requests and on the `stream` of a connection, and lists sent as `push`.',
        label: 'kind',
      },
      ({ grpc }) => [
        ['unary', grpc.unaryRequests],
        ['stream', grpc.streamMessages],
        ['push', grpc.pushes],
      ],
    ),
    single(
      'gauge',
      {
        name: 'rollcall_grpc_last_round_seconds',
        help: 'From a change to the last list that it caused and that was written, in the last round of pushes.',
        unit: 'seconds',
      },
      ({ grpc }) => grpc.lastRoundMs / 1000,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_grpc_refused_total',
        help: 'Calls and messages that were refused before anybody read them, by reason; their connection lives.',
        label: 'reason',
      },
      ({ grpc }) => grpc.refused,
    ),
    byLabel(
      'counter',
      {
        name: 'rollcall_grpc_closed_total',
        help: 'Connections that this server ended, by reason.',
        label: 'reason',
      },
      ({ grpc }) => grpc.closed,
    ),
  ],
};
