// Server addresses as people write them. Source: contract client-1x 3.1 (default port, scheme) and bug reports on host names
// that were taken apart like IPv4 addresses.

import { ClientError } from '../core/client-error.js';

/** Port of a server that is given without one. */
const DEFAULT_SERVER_PORT = 8848;

/** Where one server is. */
export interface ServerAddress {
  /** `host:port`, IPv6 in brackets: the name of the server in messages. */
  readonly name: string;
  /** `http://host:port` or `https://host:port`. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** Path that was written behind the address, without a slash at its end; undefined when none was. */
  readonly path: string | undefined;
}

/**
 * Reads a list of servers.
 *
 * @param text - one or more of `host`, `host:port`, `http(s)://host[:port]`, each with an optional path, separated by commas
 * @param scheme - for addresses without one
 * @throws ClientError `invalid-parameter` for what is no address
 */
export function serverAddresses(text: string | readonly string[], scheme: 'http' | 'https'): readonly ServerAddress[] {
  const parts = (typeof text === 'string' ? [text] : text).flatMap((part) => part.split(','));
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => serverAddress(part, scheme));
}

/** Reads one address. @throws ClientError `invalid-parameter` */
function serverAddress(text: string, scheme: 'http' | 'https'): ServerAddress {
  const full = /^https?:\/\//i.test(text);
  let url: URL;
  try {
    url = new URL(full ? text : `${scheme}://${text}`);
  } catch (cause) {
    throw refused(text, cause);
  }
  if (url.hostname === '' || url.username !== '' || url.search !== '' || url.hash !== '') throw refused(text);
  const writtenPort = url.port === '' ? undefined : Number(url.port);
  const schemePort = url.protocol === 'https:' ? 443 : 80;
  // `URL` drops a port that is the usual one of its scheme, so it is looked for in the text.
  const isSchemePort = full || new RegExp(`:${schemePort}(/|$)`).test(text);
  const port = writtenPort ?? (isSchemePort ? schemePort : DEFAULT_SERVER_PORT);
  const path = url.pathname.replace(/\/+$/, '');
  return {
    name: `${url.hostname}:${port}`,
    origin: `${url.protocol}//${url.hostname}:${port}`,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    path: path === '' ? undefined : path,
  };
}

function refused(text: string, cause?: unknown): ClientError {
  return new ClientError(
    'invalid-parameter',
    `Server address "${text}" cannot be read, allowed are host, host:port and http(s)://host:port, IPv6 in brackets`,
    { cause },
  );
}
