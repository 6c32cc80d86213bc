// The ports that a Nacos-compatible server may listen on for clients: its own, and the one 1000 above for gRPC.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { FlowContext } from './flow-context.js';

const GRPC_PORT_OFFSET = 1000;

/** The main port, and the gRPC port where something listens on it. */
export async function clientPorts(context: FlowContext): Promise<readonly number[]> {
  const { host, port } = context.server.endpoint;
  const grpcPort = port + GRPC_PORT_OFFSET;
  if (grpcPort > 65_535) return [port];
  const socket = connect({ host, port: grpcPort });
  try {
    await once(socket, 'connect');
    return [port, grpcPort];
  } catch {
    return [port]; // Nothing listens there: gRPC is off, or not offered.
  } finally {
    socket.destroy();
  }
}
