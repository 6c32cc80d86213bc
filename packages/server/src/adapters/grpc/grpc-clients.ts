// The connections of gRPC clients, as those see them who list clients.

import type { ConnectedClient, ConnectedClients } from '../http-results/client-directory.js';
import type { GrpcConnection } from './grpc-connection.js';

/** Reads the connections that are there when it is asked. */
export function grpcClients(connections: ReadonlyMap<string, GrpcConnection>): ConnectedClients {
  return {
    *all() {
      for (const connection of connections.values()) yield clientOf(connection);
    },
    find(id) {
      const connection = connections.get(id);
      return connection === undefined ? undefined : clientOf(connection);
    },
  };
}

function clientOf({ id, identity, origin }: GrpcConnection): ConnectedClient {
  const { acceptedAt, remoteAddress, remotePort } = origin;
  const { version = '', app = '-' } = identity ?? {};
  return { id, version, app, ip: remoteAddress, port: remotePort, acceptedAt };
}
