// Real listeners on loopback that behave well and badly, each on a free port.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A listener that a test closes. */
export interface Listener {
  readonly port: number;
  /** What peers sent, in order of arrival. */
  readonly received: string[];
  close(): Promise<void>;
}

/** Listens; `onPeer` decides what peers meet. */
export async function listen(onPeer: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const received: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    // Probes break connections off; that is no failure of a test.
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => received.push(bytes.toString('latin1')));
    onPeer(socket);
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { port, received, close };
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const listener = await listen(() => undefined);
  await listener.close();
  return listener.port;
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}
