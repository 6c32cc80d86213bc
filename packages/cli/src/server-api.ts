// The server over HTTP, the only way in which commands talk to it. Node's own client instead of fetch: fetch refuses some
// ports (10080, 6000 …) that a server may well have, and takes longer to load than most commands run.

import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { CommandError } from './command-error.js';

/** Parameters of a request; undefined ones are left out. */
export type ApiParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** Methods that commands use. */
export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Longest wait for an answer. */
const ANSWER_MS_MAX = 10_000;
/** Longest text of a refusal that is printed. */
const REFUSAL_LENGTH_MAX = 2000;

/** What to ask. */
interface Question {
  readonly method: ApiMethod;
  readonly path: string;
  readonly parameters: ApiParameters;
}

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
      const found = `${method} ${path} was answered with something that is no JSON`;
      throw new CommandError('server-failed', `Cannot read the answer of ${this.base}: ${found}`, { cause });
    }
  }

  /** Text answer of a request. @throws as {@link json} */
  async text(method: ApiMethod, path: string, parameters: ApiParameters = {}): Promise<string> {
    const question = { method, path, parameters };
    const response = await this.#ask(question, AbortSignal.timeout(ANSWER_MS_MAX));
    try {
      return await textOf(response);
    } catch (cause) {
      throw this.#unreachable(cause);
    }
  }

  /**
   * Data of the server-sent events of a stream, until it ends or `signal` is aborted.
   *
   * @throws as {@link json}, also when the connection is lost
   */
  async *events(path: string, parameters: ApiParameters, signal: AbortSignal): AsyncGenerator<string> {
    const response = await this.#ask({ method: 'GET', path, parameters }, signal);
    response.setEncoding('utf8');
    let waiting = '';
    try {
      for await (const part of response as AsyncIterable<string>) {
        const events = `${waiting}${part}`.split('\n\n');
        waiting = events.pop() ?? '';
        for (const event of events) {
          const data = event.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
          if (data.length > 0) yield data.join('\n');
        }
      }
    } catch (cause) {
      throw this.#unreachable(cause);
    }
  }

  /** The successful response, its body unread. */
  async #ask(question: Question, signal: AbortSignal): Promise<IncomingMessage> {
    let response: IncomingMessage;
    try {
      response = await responseOf(this.base, question, signal);
    } catch (cause) {
      throw this.#unreachable(cause);
    }
    const { statusCode: status = 0 } = response;
    if (status >= 200 && status < 300) return response;
    throw await this.#refusal(response, `${question.method} ${question.path}`);
  }

  async #refusal(response: IncomingMessage, what: string): Promise<CommandError> {
    const { statusCode: status = 0, headers } = response;
    const text = (await textOf(response).catch(() => '')).slice(0, REFUSAL_LENGTH_MAX).trim();
    const isText = headers['content-type']?.startsWith('text/plain') ?? false;
    // Refusals of Rollcall are plain text; a page or an object comes from a server that does not know the route.
    if ((status === 404 || status === 501) && !isText) {
      return new CommandError('refused', `The server at ${this.base} has no route ${what}; is it Rollcall?`);
    }
    const said = text === '' ? 'Refused without a reason' : text;
    return new CommandError(status < 500 ? 'refused' : 'server-failed', `${said} (status ${status} from ${this.base})`);
  }

  #unreachable(cause: unknown): CommandError {
    const advice = '"rollcall start" starts one, --server or ROLLCALL_SERVER names another';
    return new CommandError('unreachable', `Cannot reach a server at ${this.base}: ${reasonOf(cause)}; ${advice}`, {
      cause,
    });
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

function responseOf(base: string, question: Question, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, path, parameters } = question;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  const send = base.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request: ClientRequest = send(`${base}${path}?${query}`, { method, signal, agent: false });
    request.once('response', resolve).once('error', reject);
    request.end();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response as AsyncIterable<string>) text += part;
  return text;
}

// A host with several addresses fails with one error for each; they usually say the same.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return `no answer within ${ANSWER_MS_MAX / 1000} s`;
  return error.message;
}
