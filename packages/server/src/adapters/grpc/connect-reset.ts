// Asks one gRPC client to go to another server: it connects there first and leaves this one then. Source: contract 6.4.

import { jsonText } from '@rollcall/protocol';
import type { MoveTarget } from '../operator/move-target.js';
import type { GrpcConnection } from './grpc-connection.js';

/** Far above the ids of detections, below those of everything else that is acknowledged. */
const REQUEST_ID = '999999999';

/** Asks a client to go. @returns whether it could be asked */
export function sendConnectReset(connection: GrpcConnection, target: MoveTarget | undefined): boolean {
  const where =
    target === undefined ? '' : `,"serverIp":${jsonText(target.ip)},"serverPort":${jsonText(String(target.port))}`;
  const json = `{"headers":{},"requestId":"${REQUEST_ID}"${where},"connectionId":${jsonText(connection.id)},"module":"internal"}`;
  return connection.send({ type: 'ConnectResetRequest', json });
}
