// The address of a store: `etcd://host:port,host:port/root` says which etcd, and under which keys.

/** Stands for the store in the data directory. */
export const EMBEDDED_STORE = 'embedded';

/** Where an etcd is. */
export interface EtcdAddress {
  /** `host:port` of its members, at least one; IPv6 in brackets. */
  readonly endpoints: readonly string[];
  /** In front of all keys, with a slash at its end. */
  readonly root: string;
}

const DEFAULT_PORT = 2379;
const DEFAULT_ROOT = '/rollcall/';
const ENDPOINTS_MAX = 32;
const HOST = /^(\[[0-9a-fA-F:.]{2,45}\]|[\w.-]{1,253})(:(\d{1,5}))?$/;
const ROOT = /^(\/[\w.~-]{1,64}){1,8}$/;

/**
 * Reads an address.
 *
 * @returns undefined when the text is none
 */
export function readEtcdAddress(text: string): EtcdAddress | undefined {
  const match = /^etcd:\/\/([^/]+)(\/.*)?$/.exec(text);
  if (match === null) return undefined;
  const endpoints = (match[1] as string).split(',').map(readEndpoint);
  const path = match[2] ?? '/';
  if (endpoints.length > ENDPOINTS_MAX || !endpoints.every((endpoint) => endpoint !== undefined)) return undefined;
  if (path === '/') return { endpoints, root: DEFAULT_ROOT };
  const root = path.replace(/\/$/, '');
  return ROOT.test(root) ? { endpoints, root: `${root}/` } : undefined;
}

function readEndpoint(text: string): string | undefined {
  const match = HOST.exec(text.trim());
  const port = Number(match?.[3] ?? DEFAULT_PORT);
  return match !== null && port >= 1 && port <= 65535 ? `${match[1]}:${port}` : undefined;
}
