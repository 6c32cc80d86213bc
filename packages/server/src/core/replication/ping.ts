// What a node tells the others each second (R15): what it holds, and whom it hears.

import type { Instant } from '@rollcall/runtime/time';
import type { ClusterState } from './cluster-state.js';
import type { Member } from './member.js';
import type { MemberReport, PingMessage, SetDigest } from './peer-message.js';
import type { HeldSet } from './set-table.js';

/** A second run under one address is told of for this long. */
const RIVAL_MS = 10_000;

/** The ping of this moment. */
export function pingOf(cluster: ClusterState): PingMessage {
  const { sets, members, ready, now } = cluster;
  const { epoch, run } = sets.own.id;
  const digests: SetDigest[] = [digestOf(cluster, { set: sets.own, graceEndsAt: undefined })];
  for (const held of sets.all()) if (held.set !== sets.own && !held.isRestored) digests.push(digestOf(cluster, held));
  const reports = [...members.all()].flatMap((member) => reportsOf(member, now.mono));
  const sentAt = Math.floor(now.mono);
  return { type: 'ping', epoch, run, state: ready ? 'UP' : 'STARTING', sentAt, sets: digests, members: reports };
}

/**
 * A member; a second run that is alive under its address comes after it. A run of which only others told has not been heard
 * here, whatever came from the address.
 */
function reportsOf(member: Member, now: Instant): MemberReport[] {
  const { node, state, epoch, run, announced, rival } = member;
  const silentMs = announced ? Math.floor(member.realSilenceMs(now)) : -1;
  const reports: MemberReport[] = [{ node, state, silentMs, epoch, run }];
  if (rival !== undefined && now - rival.heardAt < RIVAL_MS)
    reports.push({ node, state, silentMs: Math.floor(now - rival.heardAt), epoch: rival.epoch, run: rival.run });
  return reports;
}

function digestOf({ now }: ClusterState, { set, graceEndsAt }: Pick<HeldSet, 'set' | 'graceEndsAt'>): SetDigest {
  const digest = { ...set.id, rev: set.rev, hash: set.hash };
  return graceEndsAt === undefined ? digest : { ...digest, graceMs: Math.max(0, Math.floor(graceEndsAt - now.mono)) };
}
