// `/rollcall/v1/members`: the cluster as this node sees it.

import { jsonAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import type { ClusterMember } from '../operator/cluster-view.js';
import type { ServerState } from '../operator/server-identity.js';
import { MEMBERS_BODY, type MemberLine, type MembersAnswer } from './member-answers.js';

/** The route. @param clusterName - undefined for a server alone */
export function memberRoutes(state: () => ServerState, clusterName: string | undefined): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/rollcall/v1/members',
      summary: 'The nodes of the cluster as this one sees them',
      produces: MEMBERS_BODY,
      handle: () => {
        const { mode, members, status } = state();
        const answer: MembersAnswer = {
          mode,
          cluster: clusterName ?? null,
          state: status === 'STARTING' ? 'STARTING' : 'UP',
          members: members.map(memberLine),
        };
        return jsonAnswer(200, JSON.stringify(answer));
      },
    },
  ];
}

function memberLine(member: ClusterMember): MemberLine {
  const { address, isSelf, state, version, silentMs, epoch, lag, records, isConnected, queuedBytes, rejection } =
    member;
  return {
    address,
    self: isSelf,
    state,
    version: version ?? null,
    silentMs: silentMs < 0 ? null : Math.round(silentMs),
    epoch,
    lag,
    records,
    connected: isConnected,
    queuedBytes,
    rejection: rejection ?? null,
  };
}
