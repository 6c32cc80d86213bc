// The v1 naming API by hand: plain HTTP calls as curl would make them, for the neutral observer and for requests that no
// client sends. Connections are kept alive and belong to one flow.
import { Agent, request } from 'node:http';
import type { ServerEndpoint } from './server-endpoint.js';

/** One call. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path behind the context path. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
  /** From the start of the call to the end of the answer, in milliseconds. */
  readonly durationMs: number;
}

/** One host, the members that flows look at: of a list, and as clients and SDKs take and give it. */
export interface ListedHost {
  readonly ip: string;
  readonly port: number;
  readonly weight: number;
  readonly healthy: boolean;
  readonly enabled: boolean;
  readonly ephemeral: boolean;
  readonly clusterName: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The answer to a list query, the members that flows look at. */
export interface ListAnswer {
  readonly name: string;
  readonly clusters: string;
  readonly cacheMillis: number;
  readonly hosts: readonly ListedHost[];
}

/** Longest wait for an answer: far above what any server needs, so that a hanging one fails the flow. */
const ANSWER_TIMEOUT_MS = 10_000;

/** How calls are made. */
export interface NamingApiOptions {
  /** From the start of a call to the end of its answer, in milliseconds; 10 s by default. */
  readonly answerTimeoutMs?: number;
}

/** HTTP calls to one server. */
export class NamingApi {
  readonly endpoint: ServerEndpoint;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #answerTimeoutMs: number;

  constructor(endpoint: ServerEndpoint, { answerTimeoutMs = ANSWER_TIMEOUT_MS }: NamingApiOptions = {}) {
    this.endpoint = endpoint;
    this.#answerTimeoutMs = answerTimeoutMs;
  }

  /**
   * Makes one call and reads the whole answer, whatever its status.
   * @throws Error when the connection fails or no answer comes in time
   */
  call(call: ApiCall): Promise<ApiAnswer> {
    const { host, port, contextPath } = this.endpoint;
    const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query)}`;
    const body = call.form === undefined ? undefined : new URLSearchParams(call.form).toString();
    const headers: Record<string, string | number> = { ...call.headers };
    if (body !== undefined) {
      headers['Content-Type'] = 'application/x-www-form-urlencoded';
      headers['Content-Length'] = Buffer.byteLength(body);
    }
    const startedAtMs = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { host, port, method: call.method, path: `${contextPath}${call.path}${query}`, headers, agent: this.#agent },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('error', reject);
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(parts).toString(),
              durationMs: performance.now() - startedAtMs,
            }),
          );
        },
      );
      const timeoutMs = this.#answerTimeoutMs;
      const timer = setTimeout(
        () => outgoing.destroy(new Error(`No answer to ${call.method} ${call.path} within ${timeoutMs} ms`)),
        timeoutMs,
      );
      outgoing.once('error', reject).once('close', () => clearTimeout(timer));
      outgoing.end(body);
    });
  }

  /**
   * Makes one call that must succeed, and returns the body.
   * @throws Error with status and body when the status is not 200
   */
  async mustCall(call: ApiCall): Promise<string> {
    const { status, body } = await this.call(call);
    if (status !== 200) {
      throw new Error(`${call.method} ${call.path} ${JSON.stringify(call.query ?? call.form)}: ${status} "${body}"`);
    }
    return body;
  }

  /** Registers an instance; parameters as in the API. */
  async register(query: Readonly<Record<string, string>>): Promise<void> {
    await this.mustCall({ method: 'POST', path: '/v1/ns/instance', query });
  }

  /** Deregisters an instance; parameters as in the API. */
  async deregister(query: Readonly<Record<string, string>>): Promise<void> {
    await this.mustCall({ method: 'DELETE', path: '/v1/ns/instance', query });
  }

  /** Sends a beat and returns its answer; without `beat` among the parameters it is a light one. */
  async beat(query: Readonly<Record<string, string>>): Promise<BeatAnswer> {
    return JSON.parse(await this.mustCall({ method: 'PUT', path: '/v1/ns/instance/beat', query })) as BeatAnswer;
  }

  /** Asks for a list; parameters as in the API. */
  async list(query: Readonly<Record<string, string>>): Promise<ListAnswer> {
    return JSON.parse(await this.mustCall({ method: 'GET', path: '/v1/ns/instance/list', query })) as ListAnswer;
  }

  /** Creates a namespace, over the console API of 1.x and 2.x or, where that is not there, the admin API of 3.x. */
  async createNamespace(namespaceId: string, namespaceName = namespaceId): Promise<void> {
    const form = { customNamespaceId: namespaceId, namespaceName };
    const { status } = await this.call({ method: 'POST', path: '/v1/console/namespaces', form });
    if (status === 200) return;
    const newForm = { namespaceId, namespaceName };
    await this.mustCall({ method: 'POST', path: '/v3/admin/core/namespace', form: newForm });
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }
}

/** The answer to a beat. */
export interface BeatAnswer {
  /** 10200 known, 20404 unknown. */
  readonly code: number;
  readonly clientBeatInterval: number;
  readonly lightBeatEnabled?: boolean;
}
