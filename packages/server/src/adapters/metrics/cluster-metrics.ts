// Metrics of a server that is one of several; a server alone has none of them.

import type { MetricGroup } from './metric.js';
import { labelled } from './metric.js';
import type { MetricSample } from './metric-sample.js';
import type { ClusterFigures } from './metric-sources.js';

const STATES = ['STARTING', 'UP', 'SUSPICIOUS', 'DOWN'] as const;

/** A metric without labels. */
function ofCluster(
  type: 'gauge' | 'counter',
  fields: { readonly name: string; readonly help: string; readonly unit?: 'bytes' },
  read: (figures: ClusterFigures) => number,
) {
  return labelled(type, { ...fields, labels: [] }, ({ cluster }) => (cluster ? [{ value: read(cluster) }] : []));
}

/** A metric with one value per other member. */
function byMember(
  fields: { readonly name: string; readonly help: string; readonly unit?: 'bytes' | 'seconds' },
  read: (member: ReturnType<ClusterFigures['members']>[number]) => number,
) {
  return labelled('gauge', { ...fields, labels: ['member'] }, ({ cluster }): MetricSample[] =>
    (cluster?.members() ?? [])
      .filter(({ isSelf }) => !isSelf)
      .map((member) => ({ value: read(member), labels: { member: member.address } })),
  );
}

/** The metrics. */
export const CLUSTER_METRICS: MetricGroup = {
  title: 'Cluster',
  metrics: [
    labelled(
      'gauge',
      {
        name: 'rollcall_cluster_members',
        help: 'Members as this node sees them, itself among them, by state: `STARTING`, `UP`, `SUSPICIOUS`, `DOWN`.',
        labels: ['state'],
      },
      ({ cluster }) => {
        const members = cluster?.members();
        if (members === undefined) return [];
        const count = (state: string) => members.filter((member) => member.state === state).length;
        return STATES.map((state) => ({ value: count(state), labels: { state } }));
      },
    ),
    ofCluster(
      'gauge',
      {
        name: 'rollcall_cluster_ready',
        help: '1 when this node has a full copy of the registrations; until then it answers no reads.',
      },
      ({ state }) => (state === 'UP' ? 1 : 0),
    ),
    labelled(
      'counter',
      {
        name: 'rollcall_cluster_alarms_total',
        help: 'Things that should not be, by kind, of each at most one in 10 s; `cluster-alarm` in the log says what was found.',
        labels: ['kind'],
      },
      ({ cluster }) => Object.entries(cluster?.alarms ?? {}).map(([kind, value]) => ({ value, labels: { kind } })),
    ),
    byMember(
      {
        name: 'rollcall_peer_silence_seconds',
        help: 'Time since something came from a member; -1 when nothing ever did.',
        unit: 'seconds',
      },
      ({ silentMs }) => (silentMs < 0 ? -1 : silentMs / 1000),
    ),
    byMember(
      { name: 'rollcall_peer_lag', help: 'Changes made here that a member has not acknowledged yet.' },
      ({ lag }) => lag,
    ),
    byMember(
      {
        name: 'rollcall_peer_records_equal',
        help: '1 when a member held the same records as this node at its last ping, 0 when changes were on their way, -1 when the records differed.',
      },
      ({ records }) => (records === 'equal' ? 1 : records === 'behind' ? 0 : -1),
    ),
    byMember({ name: 'rollcall_peer_connected', help: '1 when messages to a member arrive.' }, ({ isConnected }) =>
      isConnected ? 1 : 0,
    ),
    byMember(
      {
        name: 'rollcall_peer_queued_bytes',
        help: 'Bytes that wait because a member has not read yet.',
        unit: 'bytes',
      },
      ({ queuedBytes }) => queuedBytes,
    ),
    ofCluster(
      'counter',
      { name: 'rollcall_peer_dials_total', help: 'Connections that this node has tried to make to others.' },
      ({ counters }) => counters.dials,
    ),
    ofCluster(
      'counter',
      { name: 'rollcall_peer_frames_sent_total', help: 'Frames sent to other nodes.' },
      ({ counters }) => counters.sentFrames,
    ),
    ofCluster(
      'counter',
      { name: 'rollcall_peer_sent_bytes_total', help: 'Bytes of these frames.', unit: 'bytes' },
      ({ counters }) => counters.sentBytes,
    ),
    ofCluster(
      'counter',
      { name: 'rollcall_peer_frames_received_total', help: 'Frames that came from other nodes.' },
      ({ counters }) => counters.receivedFrames,
    ),
    ofCluster(
      'counter',
      { name: 'rollcall_peer_received_bytes_total', help: 'Bytes that came from other nodes.', unit: 'bytes' },
      ({ counters }) => counters.receivedBytes,
    ),
    ofCluster(
      'counter',
      {
        name: 'rollcall_peer_messages_unsent_total',
        help: 'Messages that were dropped because there was no connection; what they said is sent anew.',
      },
      ({ counters }) => counters.unsentMessages,
    ),
    labelled(
      'counter',
      {
        name: 'rollcall_peer_faults_total',
        help: 'Connections between nodes that were refused or cut off, by reason; docs/cluster.md says what each means.',
        labels: ['reason'],
      },
      ({ cluster }) =>
        Object.entries(cluster?.counters.faults ?? {}).map(([reason, value]) => ({ value, labels: { reason } })),
    ),
  ],
};
