// Where the server is reached, for people and for clients, from the address that it listens on.

import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { StartError } from './start-error.js';

const ALL = new Set(['0.0.0.0', '::']);

/** An address with its port. */
export interface ListenAddress {
  /** IP literal as the system gave it. */
  readonly ip: string;
  readonly port: number;
}

/** Whether only this machine can reach the address. */
export function isLoopback(ip: string): boolean {
  return ip === '::1' || ip === 'localhost' || /^127\./.test(ip);
}

/** URLs under which the server is reached; for an address that means all, those of this machine, loopback first. */
export function urlsOf({ ip, port }: ListenAddress): readonly string[] {
  const ips = ALL.has(ip) ? ['127.0.0.1', ...outsideAddresses()] : [ip];
  return ips.map((each) => `http://${each.includes(':') ? `[${each}]` : each}:${port}`);
}

/** The address that other machines would use; loopback when there is no other. */
export function identityIp(ip: string): string {
  return ALL.has(ip) ? (outsideAddresses()[0] ?? '127.0.0.1') : ip;
}

/** What to tell somebody whose address or port cannot be listened on. @param error - of the system */
export function listenError(host: string, port: number, error: unknown): StartError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const tried = `Cannot listen on ${host}:${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        'address-in-use',
        `${tried}: the port is taken by another program; stop it, or choose another port with --port (0 takes a free one)`,
        { cause: error },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        'address-unavailable',
        `${tried}: "${host}" is no address of this machine (${code}); allowed are its addresses, "0.0.0.0" or "::", chosen with --host`,
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
      return new StartError(
        'address-unavailable',
        `${tried}: this user may not (${code}); allowed are ports from 1024 on, chosen with --port`,
        { cause: error },
      );
    default:
      return new StartError('failed', `${tried}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
  }
}

/** What to tell somebody whose UDP port for pushes cannot be bound. @param error - of the system */
export function pushPortError(port: number, error: unknown): StartError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const tried = `Cannot bind UDP port ${port} for pushes`;
  if (code === 'EADDRINUSE') {
    const found = 'it is taken by another program; stop it, or choose another with --push-port (0 takes a free one)';
    return new StartError('address-in-use', `${tried}: ${found}`, { cause: error });
  }
  const found = error instanceof Error ? error.message : String(error);
  const exit = code === 'EACCES' || code === 'EPERM' ? 'address-unavailable' : 'failed';
  return new StartError(exit, `${tried}: ${found}; --push-port chooses another`, { cause: error });
}

function outsideAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses: NetworkInterfaceInfo[] | undefined) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
