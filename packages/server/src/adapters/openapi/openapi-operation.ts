// One route as an operation of an OpenAPI document. Source: OpenAPI Specification 3.1, sections 4.8.10 to 4.8.17.

import { jsonBody, textBody } from '../http/answer-description.js';
import { INTEGER, type JsonSchema, named, objectOf, STRING } from '../http/answer-schema.js';
import type { Route, RouteParameter } from '../http/route.js';
import { TEXT_OR_NULL } from '../http/shared-schemas.js';
import type { OpenApiSchemas } from './openapi-schemas.js';

/** Envelope of a refusal on v2 and v3. */
const REFUSAL_SCHEMA = named('Refusal', objectOf({ code: INTEGER, message: STRING, data: TEXT_OR_NULL }));
/** What Nacos's web server says, where no route takes a request. */
const ENVELOPED = /^\/v[23]\//;

/** The tag of a path: the API that it belongs to. */
export function tagOf(path: string): string {
  const [, first = ''] = path.split('/');
  return /^v\d$/.test(first) || first === 'rollcall' ? first : 'server';
}

/** The operation of a route, without its path and method. */
export function openApiOperation(route: Route, schemas: OpenApiSchemas): object {
  return {
    operationId: operationId(route),
    tags: [tagOf(route.path)],
    summary: route.summary,
    parameters: (route.parameters ?? []).map((parameter) => parameterObject(parameter, route)),
    responses: { ...goodResponse(route, schemas), default: refusal(route, schemas) },
  };
}

/** `get_v1_ns_instance_list`: unique as method and path are. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method.toLowerCase(), ...words].join('_');
}

function parameterObject(parameter: RouteParameter, { path }: Route): object {
  const { name, description, type = 'string', defaultValue } = parameter;
  const isInPath = path.includes(`{${name}}`);
  const schema: JsonSchema =
    type === 'json' ? {} : { type, ...(defaultValue !== undefined && { default: typed(type, defaultValue) }) };
  return {
    name,
    in: isInPath ? 'path' : 'query',
    description,
    ...((parameter.required === true || isInPath) && { required: true }),
    ...(type === 'json' ? { content: { 'application/json': { schema } } } : { schema }),
  };
}

function typed(type: NonNullable<RouteParameter['type']>, value: string): unknown {
  if (type === 'integer' || type === 'number') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}

function goodResponse({ produces, method }: Route, schemas: OpenApiSchemas): object {
  if (produces === undefined || produces === 'refusals-only') return {};
  const schema = schemas.placed(produces.schema);
  return {
    200: {
      description: method === 'GET' ? 'What was asked for' : 'Done',
      content: Object.fromEntries(produces.mediaTypes.map((mediaType) => [mediaType, { schema }])),
    },
  };
}

/** v1 and our own routes refuse with a text; v2 and v3 with the envelope, and with a text what is refused before a route is asked. */
function refusal({ path }: Route, schemas: OpenApiSchemas): object {
  const text = textBody({ type: 'string' });
  const bodies = ENVELOPED.test(path) ? [jsonBody(REFUSAL_SCHEMA), text] : [text];
  return {
    description: 'Refused or failed; the status says whose fault it is',
    content: Object.fromEntries(
      bodies.flatMap(({ mediaTypes, schema }) => mediaTypes.map((type) => [type, { schema: schemas.placed(schema) }])),
    ),
  };
}
