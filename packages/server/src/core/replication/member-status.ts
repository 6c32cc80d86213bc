// What is shown of the members: in `rollcall members`, the member endpoints, and metrics.

import type { ClusterState } from './cluster-state.js';
import type { DeltaFlow } from './delta-flow.js';
import type { Member } from './member.js';
import type { MemberState, NodeId } from './peer-message.js';

/** A member as this node sees it. */
export interface MemberStatus {
  readonly node: NodeId;
  readonly self: boolean;
  readonly state: MemberState;
  /** Ms since it was heard last; 0 for this node, -1 for one that never was. */
  readonly silentMs: number;
  /** Its run; 0 and empty when unknown. */
  readonly epoch: number;
  readonly run: string;
  /** Changes of this node that it is not known to have. */
  readonly lag: number;
  /** Whether it holds what this node holds, by its last ping. `behind`: other revs, so that nothing can be compared. */
  readonly digests: 'equal' | 'behind' | 'different';
}

/** All members, this one first, the others in the order of the list. */
export function memberStatuses(cluster: ClusterState, flow: DeltaFlow): MemberStatus[] {
  const { self, ready, sets, members } = cluster;
  const { epoch, run } = sets.own.id;
  const state = ready ? 'UP' : 'STARTING';
  const statuses: MemberStatus[] = [
    { node: self, self: true, state, silentMs: 0, epoch, run, lag: 0, digests: 'equal' },
  ];
  for (const member of members.all()) statuses.push(statusOf(cluster, flow, member));
  return statuses;
}

function statusOf(cluster: ClusterState, flow: DeltaFlow, member: Member): MemberStatus {
  const { node, state, epoch, run } = member;
  const silentMs = Math.floor(member.silentMs(cluster.now.mono));
  const digests = compareDigests(cluster, member);
  return { node, self: false, state, silentMs, epoch, run, lag: flow.lagOf(node), digests };
}

function compareDigests({ sets }: ClusterState, { vector }: Member): MemberStatus['digests'] {
  let result: MemberStatus['digests'] = 'equal';
  let compared = 0;
  for (const { set, isRestored } of sets.all()) {
    if (isRestored) continue;
    const digest = vector.get(set.idText);
    if (digest === undefined || digest.rev !== set.rev) result = 'behind';
    else if (digest.hash !== set.hash) return 'different';
    compared += 1;
  }
  return vector.size > compared ? 'behind' : result;
}
