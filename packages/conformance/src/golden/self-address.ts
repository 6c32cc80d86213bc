// Asks a server for the address that it calls its own, because answers contain it.

import { exchange, type Target } from './http-exchange.js';

const ROUTES = ['/v1/core/cluster/self', '/v2/core/cluster/node/self', '/v3/admin/core/cluster/node/self'];
const NO_NAMES = { svc: '', ns: '', net: '' };

/** The server's own `ip:port`; undefined when it does not tell. */
export async function selfAddress(target: Target): Promise<string | undefined> {
  for (const path of ROUTES) {
    const reply = await exchange({ method: 'GET', path }, target, NO_NAMES);
    if ('error' in reply || reply.status !== 200) continue;
    const address = addressIn(reply.text);
    if (address !== undefined) return address;
  }
  return undefined;
}

function addressIn(text: string): string | undefined {
  try {
    const address = (JSON.parse(text) as { data?: { address?: unknown } }).data?.address;
    return typeof address === 'string' ? address : undefined;
  } catch {
    return undefined; // A route that this server does not have may answer with any text.
  }
}
