// Where the server under test listens.

/** A listening HTTP server. */
export interface ServerEndpoint {
  readonly host: string;
  readonly port: number;
  /** Context path without a trailing slash, for example `/nacos`. */
  readonly contextPath: string;
}

/**
 * Reads a server's URL; without a path the context path is `/nacos`, without a port the port is 8848.
 * @throws Error when the text is no `http:` URL
 */
export function parseServerUrl(text: string): ServerEndpoint {
  if (!URL.canParse(text) || new URL(text).protocol !== 'http:') {
    throw new Error(`Cannot read "--server": found "${text}", allowed is for example "http://127.0.0.1:8848"`);
  }
  const { hostname, port, pathname } = new URL(text);
  const path = pathname.replace(/\/+$/, '');
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 8848 : Number(port),
    contextPath: path === '' ? '/nacos' : path,
  };
}
