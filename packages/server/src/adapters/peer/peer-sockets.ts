// The sockets between nodes, plain or over TLS where both sides must show a certificate of the cluster's own authority.
// Who has none is told apart after the handshake, see tls-trust.ts.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connect as tlsConnect, createServer as tlsCreateServer } from 'node:tls';
import type { PeerDial } from './dialled-peer.js';
import { VERSION_ALERT } from './foreign-protocol.js';
import { nodeAddress } from './node-address.js';
import { PeerFault } from './peer-fault.js';
import { tlsFault } from './tls-trust.js';

/** PEM texts for mutual TLS. */
export interface PeerCertificates {
  readonly cert: string;
  readonly key: string;
  /** Authority that signed the certificates of all nodes. */
  readonly ca: string;
}

/** What a port is made with. */
export interface PeerPortOptions {
  /** Undefined without TLS. */
  readonly certificates: PeerCertificates | undefined;
  /** TLS handshakes that may be under way; the oldest gives way to a new one. */
  readonly handshakes: number;
  /** Takes each connection, over TLS after its handshake, whoever it comes from. */
  readonly onSocket: (socket: Socket) => void;
  /** A handshake that came to nothing, by the address of the other side; empty when it was gone already. */
  readonly onTlsFailure: (address: string, fault: PeerFault) => void;
}

/** A port that other nodes dial. */
export class PeerPort {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections whose TLS handshake is under way, by the other side's address and port, oldest first. */
  readonly #greeting = new Map<string, Socket>();

  constructor({ certificates, handshakes, onSocket, onTlsFailure }: PeerPortOptions) {
    if (certificates === undefined) this.#server = createServer(onSocket);
    else {
      const options = { ...certificates, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.3' as const };
      const server = tlsCreateServer({ ...options, handshakeTimeout: 5000 }, (socket) => {
        this.#greeting.delete(farEnd(socket));
        onSocket(socket);
      });
      server.on('connection', (socket: Socket) => {
        const [oldest] = this.#greeting.values();
        if (oldest !== undefined && this.#greeting.size >= handshakes) {
          onTlsFailure(oldest.remoteAddress ?? '', new PeerFault('too-many'));
          this.#greeting.delete(farEnd(oldest));
          oldest.destroy();
        }
        const key = farEnd(socket);
        this.#greeting.set(key, socket);
        socket.on('close', () => this.#greeting.get(key) === socket && this.#greeting.delete(key));
      });
      server.on('tlsClientError', (error, socket) => {
        const fault = tlsFault(error);
        if (fault === undefined) return;
        if (fault.reason === 'tls-mismatch') this.#greeting.get(farEnd(socket))?.write(VERSION_ALERT);
        onTlsFailure(socket.remoteAddress ?? '', fault);
      });
      this.#server = server;
    }
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      // Of TLS: the failed handshake is reported above.
      socket.on('error', () => undefined);
    });
  }

  /** Starts to listen. @returns the port that was taken. Rejects with the error of the system */
  listen(host: string, port: number): Promise<number> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        server.on('error', () => undefined);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** Stops listening; what is open must be closed by its owner, the rest is cut. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroySoon();
    });
  }
}

/** Dials nodes. @param portOffset - distance from a node's main port to the one for other nodes */
export function peerDial(certificates: PeerCertificates | undefined, portOffset: number): PeerDial {
  return (node) => {
    const { host, port } = nodeAddress(node);
    const target = { host, port: port + portOffset };
    if (certificates === undefined) return { socket: connect(target), ready: 'connect' };
    const options = {
      ...target,
      ...certificates,
      minVersion: 'TLSv1.3' as const,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    };
    return { socket: tlsConnect(options), ready: 'secureConnect' };
  };
}

/** Address and port of the other side. */
function farEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
