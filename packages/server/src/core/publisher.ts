// Publishers that are not connections. Connections are named by their ids, which never look like these.

/** Publisher of everything registered over HTTP: the address itself is the identity. */
export const HTTP_PUBLISHER = 'http';
/** Publisher of persistent instances. */
export const STORE_PUBLISHER = 'store';

/** Whether a publisher is a connection. */
export function isConnection(publisher: string): boolean {
  return publisher !== HTTP_PUBLISHER && publisher !== STORE_PUBLISHER;
}
