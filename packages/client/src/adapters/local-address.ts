// The address of this machine that a server sees: where the system would send from to reach it. No packet leaves for that.
// Source: contract client-1x 7 (the acknowledgement must come from the advertised address).

import { createSocket } from 'node:dgram';
import { plainIp } from './plain-ip.js';

/**
 * The address from which this machine reaches a host.
 *
 * @returns undefined when the host cannot be resolved or is not reachable by any route
 */
export function addressTowards(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const end = (address: string | undefined): void => {
      socket.removeAllListeners();
      socket.on('error', () => {}); // Nothing can follow that matters: the socket is being closed.
      socket.close();
      resolve(address);
    };
    socket.once('error', () => end(undefined));
    socket.once('connect', () => end(plainIp(socket.address().address)));
    socket.unref();
    socket.connect(port, host);
  });
}
