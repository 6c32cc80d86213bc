// The argument `<ip:port>`.

import { CommandError } from './command-error.js';

/** An address of an instance as typed. */
export interface TypedAddress {
  readonly ip: string;
  readonly port: number;
}

/**
 * Reads `10.0.0.1:8080`, `host.example:8080` or `[2001:db8::1]:8080`; an address that was registered in brackets, which is
 * another one for a registry, has two pairs of them.
 *
 * @throws CommandError `usage`
 */
export function parseAddress(text: string): TypedAddress {
  const match = /^(?:\[(\[[^[\]]+\]|[^[\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const ip = match?.[1] ?? match?.[2];
  if (ip === undefined || port > 65535) {
    throw new CommandError(
      'usage',
      `Cannot read the address "${text}": allowed is ip:port such as 10.0.0.1:8080 or [2001:db8::1]:8080, port 0 to 65535`,
    );
  }
  return { ip, port };
}

/** Prints an address as {@link parseAddress} reads it. */
export function addressText({ ip, port }: TypedAddress): string {
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
}
