// What a server says of its API (OpenAPI 3.1), and whether its answers are as it says: every request that is served has an
// operation, and every answer fits the schema of its status and media type. Members that a schema does not name do not fit.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A JSON object. */
type JsonObject = Readonly<Record<string, unknown>>;

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
}

/** An answer to check, with the request that it answers. */
export interface DescribedExchange {
  readonly method: string;
  /** Without query and context path, as sent. */
  readonly path: string;
  readonly status: number;
  /** Undefined when the answer had none. */
  readonly contentType: string | undefined;
  readonly body: string;
}

const DOCUMENT_PATH = '/rollcall/v1/openapi.json';
const DOCUMENT_ID = 'https://rollcall.invalid/openapi.json';
/** Statuses of requests that no route takes, and of paths that cannot be read. */
const UNROUTED = new Set([400, 404, 405, 501]);

/** The API of one server as it describes it. */
export class DescribedApi {
  /** The document as it was sent. */
  readonly document: JsonObject;
  readonly #paths: Document['paths'];
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: JsonObject) {
    this.document = document;
    this.#paths = (document as unknown as Document).paths;
    this.#ajv.addSchema(closed(document) as JsonObject, DOCUMENT_ID);
  }

  /** Asks a server. @param base - URL with context path */
  static async of(base: string): Promise<DescribedApi> {
    const response = await fetch(base + DOCUMENT_PATH);
    return new DescribedApi((await response.json()) as JsonObject);
  }

  /** What is wrong with an answer; undefined when nothing is. */
  misfit(exchange: DescribedExchange): string | undefined {
    const { method, status } = exchange;
    if (method === 'OPTIONS') return undefined;
    const path = this.#pathOf(exchange.path);
    // HEAD is GET without a body.
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = path === undefined ? undefined : this.#paths[path]?.[verb];
    if (path === undefined || operation === undefined) {
      return UNROUTED.has(status) ? undefined : `${method} ${exchange.path} is served (${status}) and not described`;
    }
    if (method === 'HEAD') return undefined;
    const key = operation.responses[status] === undefined ? 'default' : String(status);
    const place = `#/paths/${pointer(path)}/${verb}/responses/${key}`;
    return this.#bodyMisfit(operation, key, { exchange, place });
  }

  #bodyMisfit(
    { operationId, responses }: Operation,
    key: string,
    { exchange, place }: { readonly exchange: DescribedExchange; readonly place: string },
  ): string | undefined {
    const { status, contentType = '', body } = exchange;
    if (key === 'default' && status < 400)
      return `${operationId}: ${status} is not described, the route says nothing in "produces"`;
    const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
    // Gates answer without a body, or without a media type.
    if (mediaType === '' && key === 'default') return undefined;
    if (responses[key]?.content?.[mediaType] === undefined)
      return `${operationId}: ${key} as "${mediaType}" is not described`;
    const validate = this.#validatorAt(`${place}/content/${pointer(mediaType)}/schema`);
    const value: unknown = mediaType === 'application/json' && body !== 'ok' ? JSON.parse(body) : body;
    if (validate(value)) return undefined;
    return `${operationId}: ${status} ${this.#ajv.errorsText(validate.errors)} in ${body.slice(0, 400)}`;
  }

  #validatorAt(place: string): ValidateFunction {
    const known = this.#validators.get(place);
    if (known !== undefined) return known;
    const made = this.#ajv.compile({ $ref: DOCUMENT_ID + place });
    this.#validators.set(place, made);
    return made;
  }

  /** The described path that a sent one means; servers take doubled slashes, percent sequences and, but for v3, a slash at the end. */
  #pathOf(sent: string): string | undefined {
    const segments = decoded(sent)
      .split('/')
      .filter((segment) => segment !== '');
    if (segments.includes('v3') && sent.endsWith('/')) return undefined;
    const plain = `/${segments.join('/')}`;
    if (this.#paths[plain] !== undefined) return plain;
    return Object.keys(this.#paths).find((path) => {
      const wanted = path.split('/').slice(1);
      return (
        wanted.length === segments.length && wanted.every((part, i) => part === segments[i] || part.startsWith('{'))
      );
    });
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // Broken percent sequences: no path has any.
  }
}

/** A part of a JSON pointer inside a URI fragment. */
function pointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The same document, with schemas of objects that allow no members but those they name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]));
  const isOpen = copy.type === 'object' && copy.properties !== undefined && copy.additionalProperties === undefined;
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
