// What a server says of itself, and how that looks as a member of a cluster. Source: Nacos 1.4.8 Member; ops contract 3.6.

import { jsonText } from '@rollcall/protocol';
import type { EpochMs } from '@rollcall/runtime';
import type { ServerStatus } from '../../core/switches.js';

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

/** The server as a member of its cluster. @param wall - shown as the time of the last refresh */
export function memberJson({ identity, status }: ServerState, wall: EpochMs): string {
  const { ip, port, version } = identity;
  const extendInfo = `{"lastRefreshTime":${wall},"version":${jsonText(version)}}`;
  return `{"ip":${jsonText(ip)},"port":${port},"state":"${status === 'UP' ? 'UP' : 'DOWN'}","extendInfo":${extendInfo},"address":${jsonText(`${ip}:${port}`)},"failAccessCnt":0}`;
}
