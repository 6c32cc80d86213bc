// What a server shows of itself, read once per restart and shared by all subjects that look at the same list.
import type { ListedHost, NamingApi } from '../naming-api.js';

/** A namespace as the list of namespaces shows it. */
export interface ShownNamespace {
  readonly namespace: string;
  readonly namespaceShowName: string;
}

/** Reads lists, definitions and namespaces, each at most once. */
export class ServerState {
  readonly #api: NamingApi;
  readonly #hosts = new Map<string, Promise<readonly ListedHost[]>>();
  #namespaces: Promise<readonly ShownNamespace[]> | undefined;

  constructor(api: NamingApi) {
    this.#api = api;
  }

  /** All hosts of a service. */
  hosts(serviceName: string): Promise<readonly ListedHost[]> {
    let hosts = this.#hosts.get(serviceName);
    if (hosts === undefined) {
      hosts = this.#api.list({ serviceName }).then((list) => list.hosts);
      this.#hosts.set(serviceName, hosts);
    }
    return hosts;
  }

  /** Protection threshold of a defined service as text; undefined when the service does not exist. */
  async protectThreshold(serviceName: string): Promise<string | undefined> {
    const { status, body } = await this.#api.call({ method: 'GET', path: '/v1/ns/service', query: { serviceName } });
    if (status === 404 || (status >= 400 && body.includes('not found'))) return undefined;
    if (status !== 200) throw new Error(`GET /v1/ns/service of "${serviceName}": ${status} "${body}"`);
    return String((JSON.parse(body) as { readonly protectThreshold: number }).protectThreshold);
  }

  /** All namespaces. */
  namespaces(): Promise<readonly ShownNamespace[]> {
    this.#namespaces ??= this.#api
      .mustCall({ method: 'GET', path: '/v1/console/namespaces' })
      .then((body) => (JSON.parse(body) as { readonly data: readonly ShownNamespace[] }).data);
    return this.#namespaces;
  }
}
