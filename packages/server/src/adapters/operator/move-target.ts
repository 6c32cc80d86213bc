// The server that gRPC clients are asked to go to.

import { type Parameters, RegistryError } from '@rollcall/protocol';

/** Where clients are asked to go. They follow when their own list has the server, else they take the next one in it. */
export interface MoveTarget {
  readonly ip: string;
  /** The other server's main port. */
  readonly port: number;
}

/** Reads a target. @param name - of the parameter @returns undefined when it is not sent: clients choose @throws RegistryError `invalid-parameter` for anything but `ip:port` */
export function readMoveTarget(parameters: Parameters, name: string): MoveTarget | undefined {
  const text = parameters.present(name);
  if (text === undefined) return undefined;
  const { ip = '', port = '' } = /^\[?(?<ip>[\w.:-]{1,128}?)\]?:(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  if (ip !== '' && Number(port) >= 1 && Number(port) <= 65535) return { ip, port: Number(port) };
  const found = `found "${text.slice(0, 200)}", allowed is ip:port, for example "10.0.0.2:8848"`;
  throw new RegistryError('invalid-parameter', `Param '${name}': ${found}`, { details: { parameter: name } });
}
