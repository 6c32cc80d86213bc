// What a server says of itself, and how that looks as a member of a cluster. Source: Nacos 1.4.8 Member; ops contract 3.6.

import { jsonText } from '@rollcall/protocol';
import type { EpochMs } from '@rollcall/runtime';
import type { ServerStatus, Switches } from '../../core/switches.js';

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
}

/** The state of a server now: what an operator forces counts, a server that answers is up otherwise. */
export function serverStateOf(identity: ServerIdentity, core: { readonly switches: Switches }): ServerState {
  return { identity, status: core.switches.overriddenServerStatus ?? 'UP' };
}

/** What consoles and maintainers ask first. All values are texts, as in 2.5.1; both names of the mode are there, because each console generation reads its own. */
export function serverStateJson({ identity }: ServerState): string {
  return JSON.stringify({
    version: identity.version,
    server_port: String(identity.port),
    standalone_mode: 'standalone',
    startup_mode: 'standalone',
    function_mode: 'naming',
    auth_enabled: 'false',
    login_page_enabled: 'false',
    auth_system_type: 'nacos',
    auth_admin_request: 'false',
    console_ui_enabled: 'true',
  });
}

/** The state that the server has as a member of its cluster. */
export function memberStateOf({ status }: ServerState): 'UP' | 'DOWN' {
  return status === 'UP' ? 'UP' : 'DOWN';
}

/**
 * The server as a member of its cluster.
 *
 * @param wall - shown as the time of the last refresh
 * @param dialect - from 2.x on members say what they are able to
 */
export function memberJson(state: ServerState, wall: EpochMs, dialect: '1.x' | '2.x'): string {
  const { ip, port, version } = state.identity;
  const extendInfo = `{"lastRefreshTime":${wall},"version":${jsonText(version)}}`;
  return `{"ip":${jsonText(ip)},"port":${port},"state":"${memberStateOf(state)}","extendInfo":${extendInfo},"address":${jsonText(`${ip}:${port}`)},"failAccessCnt":0${dialect === '1.x' ? '' : ABILITIES}}`;
}
