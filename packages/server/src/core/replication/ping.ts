// What a node tells the others each second (R15): what it holds, and whom it hears.

import type { ClusterState } from './cluster-state.js';
import type { MemberReport, PingMessage, SetDigest } from './peer-message.js';
import type { HeldSet } from './set-table.js';

/** The ping of this moment. */
export function pingOf(cluster: ClusterState): PingMessage {
  const { sets, members, ready, now } = cluster;
  const { epoch, run } = sets.own.id;
  const digests: SetDigest[] = [digestOf(cluster, { set: sets.own, graceEndsAt: undefined })];
  for (const held of sets.all()) if (held.set !== sets.own && !held.isRestored) digests.push(digestOf(cluster, held));
  const reports = Array.from(
    members.all(),
    (member): MemberReport => ({
      node: member.node,
      state: member.state,
      silentMs: Math.floor(member.silentMs(now.mono)),
      epoch: member.epoch,
      run: member.run,
    }),
  );
  return { type: 'ping', epoch, run, state: ready ? 'UP' : 'STARTING', sets: digests, members: reports };
}

function digestOf({ now }: ClusterState, { set, graceEndsAt }: Pick<HeldSet, 'set' | 'graceEndsAt'>): SetDigest {
  const digest = { ...set.id, rev: set.rev, hash: set.hash };
  return graceEndsAt === undefined ? digest : { ...digest, graceMs: Math.max(0, Math.floor(graceEndsAt - now.mono)) };
}
