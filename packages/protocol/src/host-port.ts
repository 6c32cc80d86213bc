// Address and port in one text, as URLs have it. Instances carry their address as it was registered, and for IPv6 there are
// two ways: Spring Cloud's client and ours write it in brackets, others without. Source: RFC 3986 3.2.2.

const BRACKETED = /^\[(.*)\]$/;

/** `ip:port` for a URL: IPv6 in brackets, whether it was registered with them or not. @param ip - literal or host name */
export function hostPortText(ip: string, port: number): string {
  return ip.includes(':') && !BRACKETED.test(ip) ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** The address as sockets take it: without brackets. @param ip - literal or host name */
export function withoutBrackets(ip: string): string {
  return BRACKETED.exec(ip)?.[1] ?? ip;
}
