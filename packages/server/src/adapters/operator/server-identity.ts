// What a server says of itself, and how that looks as a member of a cluster. Source: Nacos 1.4.8 Member; ops contract 3.6.

import { jsonText } from '@rollcall/protocol';
import type { EpochMs } from '@rollcall/runtime';
import type { ServerStatus, Switches } from '../../core/switches.js';
import type { ClusterMember, ClusterView } from './cluster-view.js';

/** Connections of gRPC clients, and nothing of what Nacos servers do among themselves. */
const ABILITIES =
  ',"abilities":{"remoteAbility":{"supportRemoteConnection":true,"grpcReportEnabled":true},"configAbility":{"supportRemoteMetrics":false},"namingAbility":{"supportJraft":false}},"grpcReportEnabled":true';

/** A server as others see it. */
export interface ServerIdentity {
  /** Address that clients reach it by. */
  readonly ip: string;
  readonly port: number;
  /** Of the program. */
  readonly version: string;
}

/** The state of a server at one moment. */
export interface ServerState {
  readonly identity: ServerIdentity;
  readonly status: ServerStatus;
  /** `cluster` also for one of several that knows no other at the moment. */
  readonly mode: 'standalone' | 'cluster';
  /** All members of its cluster, sorted by address; a server alone is its only one. */
  readonly members: readonly ClusterMember[];
}

/**
 * The state of a server now: what an operator forces counts, else whether it has what it needs to answer.
 *
 * @param cluster - undefined for a server alone
 */
export function serverStateOf(
  identity: ServerIdentity,
  core: { readonly switches: Switches },
  cluster: ClusterView | undefined,
): ServerState {
  const status = core.switches.overriddenServerStatus ?? cluster?.state ?? 'UP';
  const members = cluster?.members() ?? [loneMember(identity)];
  return { identity, status, mode: cluster === undefined ? 'standalone' : 'cluster', members };
}

function loneMember({ ip, port, version }: ServerIdentity): ClusterMember {
  const silent = { silentMs: 0, epoch: 0, lag: 0, records: 'equal', isConnected: true, queuedBytes: 0 } as const;
  return { ip, port, address: `${ip}:${port}`, isSelf: true, state: 'UP', version, rejection: undefined, ...silent };
}

/** What consoles and maintainers ask first. All values are texts, as in 2.5.1; both names of the mode are there, because each console generation reads its own. */
export function serverStateJson({ identity, mode }: ServerState): string {
  return JSON.stringify({
    version: identity.version,
    server_port: String(identity.port),
    standalone_mode: mode,
    startup_mode: mode,
    function_mode: 'naming',
    auth_enabled: 'false',
    login_page_enabled: 'false',
    auth_system_type: 'nacos',
    auth_admin_request: 'false',
    console_ui_enabled: 'true',
  });
}

/** The state that a member is shown in: of this server, what an operator forces counts as well. */
export function memberStateOf({ status }: ServerState, member: ClusterMember): ClusterMember['state'] {
  return !member.isSelf || status === 'UP' ? member.state : status === 'STARTING' ? 'STARTING' : 'DOWN';
}

/** The server itself as a member of its cluster. */
export function selfOf({ members }: ServerState): ClusterMember {
  return members.find(({ isSelf }) => isSelf) as ClusterMember;
}

/** Failed calls in a row that Nacos counts in each state: more than three make a member DOWN. */
const FAILURES: Readonly<Record<ClusterMember['state'], number>> = { STARTING: 0, UP: 0, SUSPICIOUS: 1, DOWN: 4 };

/**
 * A member of the cluster. Of several, its extended information has what consoles show as a tree: how far it is behind.
 *
 * @param wall - epoch ms now
 * @param dialect - from 2.x on members say what they are able to
 */
export function memberJson(state: ServerState, member: ClusterMember, wall: EpochMs, dialect: '1.x' | '2.x'): string {
  const { ip, port, address, version, silentMs, epoch, lag, records, isConnected } = member;
  const shown = memberStateOf(state, member);
  const facts = { epoch, silentMs, lag, records, connected: isConnected };
  const extendInfo = JSON.stringify({
    lastRefreshTime: silentMs < 0 ? 0 : wall - silentMs,
    ...(state.mode === 'cluster' && { rollcall: facts }),
    version,
  });
  return `{"ip":${jsonText(ip)},"port":${port},"state":"${shown}","extendInfo":${extendInfo},"address":${jsonText(address)},"failAccessCnt":${FAILURES[shown]}${dialect === '1.x' ? '' : ABILITIES}}`;
}
