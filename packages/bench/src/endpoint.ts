// Where a server listens: a URL taken apart once, so that request bytes can be built ahead of the load.

/** A listening HTTP server. */
export interface Endpoint {
  /** Literal address or host name, without brackets. */
  readonly host: string;
  /** TCP port, 1 to 65535. */
  readonly port: number;
  /** Context path without a trailing slash: `/nacos`, or empty when the API lies at the root. */
  readonly contextPath: string;
}

/**
 * Reads a server's URL, for example `http://127.0.0.1:8848/nacos`. Without a path the context path is `/nacos`,
 * without a port the port is 8848.
 * @throws Error when the text is no `http:` URL
 */
export function parseEndpoint(url: string): Endpoint {
  if (!URL.canParse(url)) {
    throw new Error(`Cannot read the server's URL: found "${url}", allowed is for example "http://127.0.0.1:8848"`);
  }
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol !== 'http:') {
    throw new Error(`Cannot drive the server: found protocol "${protocol}" in "${url}", allowed is "http:"`);
  }
  const path = pathname.replace(/\/+$/, '');
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 8848 : Number(port),
    contextPath: path === '' ? '/nacos' : path,
  };
}
