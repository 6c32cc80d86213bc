// The server over HTTP, the only way in which commands talk to it.

import { CommandError } from './command-error.js';

/** Parameters of a request; undefined ones are left out. */
export type ApiParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** Methods that commands use. */
export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Longest wait for an answer. */
const ANSWER_MS_MAX = 10_000;
/** Longest text of a refusal that is printed. */
const REFUSAL_LENGTH_MAX = 2000;

/** Requests to one server. */
export class ServerApi {
  /** URL without trailing slash; may have a path, such as `/nacos`. */
  readonly base: string;

  /** @param server - URL, or host and port alone. @throws CommandError `usage` when it is neither */
  constructor(server: string) {
    this.base = baseOf(server);
  }

  /** JSON answer of a request. @throws CommandError `unreachable`, `refused` or `server-failed` */
  async json<T>(method: ApiMethod, path: string, parameters: ApiParameters = {}): Promise<T> {
    const text = await this.text(method, path, parameters);
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new CommandError(
        'server-failed',
        `${this.base} answered ${method} ${path} with something that is no JSON`,
        {
          cause,
        },
      );
    }
  }

  /** Text answer of a request. @throws as {@link json} */
  async text(method: ApiMethod, path: string, parameters: ApiParameters = {}): Promise<string> {
    const response = await this.#request(method, path, parameters, AbortSignal.timeout(ANSWER_MS_MAX));
    try {
      return await response.text();
    } catch (cause) {
      throw this.#unreachable(cause);
    }
  }

  /** Data of the server-sent events of a stream, until it ends or `signal` is aborted. @throws as {@link json} */
  async *events(path: string, parameters: ApiParameters, signal: AbortSignal): AsyncGenerator<string> {
    const { body } = await this.#request('GET', path, parameters, signal);
    const decoder = new TextDecoder();
    let waiting = '';
    for await (const chunk of body ?? []) {
      waiting += decoder.decode(chunk as Uint8Array, { stream: true });
      const events = waiting.split('\n\n');
      waiting = events.pop() ?? '';
      for (const event of events) {
        const data = event.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
        if (data.length > 0) yield data.join('\n');
      }
    }
  }

  async #request(method: ApiMethod, path: string, parameters: ApiParameters, signal: AbortSignal): Promise<Response> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
    let response: Response;
    try {
      response = await fetch(`${this.base}${path}?${query}`, { method, signal, headers: { accept: '*/*' } });
    } catch (cause) {
      throw this.#unreachable(cause);
    }
    if (response.ok) return response;
    throw await this.#refusal(response, `${method} ${path}`);
  }

  async #refusal(response: Response, what: string): Promise<CommandError> {
    const { status } = response;
    const text = (await response.text().catch(() => '')).slice(0, REFUSAL_LENGTH_MAX).trim();
    const isText = response.headers.get('content-type')?.startsWith('text/plain') ?? false;
    // Refusals of Rollcall are plain text; a page or an object comes from a server that does not know the route.
    if ((status === 404 || status === 501) && !isText) {
      return new CommandError('refused', `The server at ${this.base} has no route ${what}; is it Rollcall?`);
    }
    const said = text === '' ? 'Refused without a reason' : text;
    return new CommandError(status < 500 ? 'refused' : 'server-failed', `${said} (status ${status} from ${this.base})`);
  }

  #unreachable(cause: unknown): CommandError {
    return new CommandError(
      'unreachable',
      `Cannot reach a server at ${this.base}: ${reasonOf(cause)}; "rollcall start" starts one, --server or ROLLCALL_SERVER names another`,
      { cause },
    );
  }
}

function baseOf(server: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.search !== '') {
    throw new CommandError(
      'usage',
      `Cannot use the server "${server}": allowed is a URL such as http://127.0.0.1:8848, or host and port alone`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

// The reason is in the cause of what fetch throws, for several addresses in the first of its errors.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${ANSWER_MS_MAX / 1000} s`;
  const { cause } = error;
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  if (cause instanceof Error) return reasonOf(cause);
  return error.message;
}
