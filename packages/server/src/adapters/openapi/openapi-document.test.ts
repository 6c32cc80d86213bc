import { describe, expect, it } from 'vitest';
import { jsonBody } from '../http/answer-description.js';
import { arrayOf, INTEGER, type JsonSchema, named, objectOf, STRING } from '../http/answer-schema.js';
import { textAnswer } from '../http/http-answer.js';
import type { Route, RouteDescription } from '../http/route.js';
import { openApiDocument } from './openapi-document.js';

const route = (description: Partial<RouteDescription>): Route => ({
  method: 'GET',
  path: '/v1/thing',
  summary: 'A thing',
  ...description,
  handle: () => textAnswer(200, ''),
});
const producing = (schema: JsonSchema, path = '/v1/thing') => route({ path, produces: jsonBody(schema) });
// biome-ignore lint/suspicious/noExplicitAny: a document is read member by member
const documentOf = (routes: readonly Route[], contextPath = '/nacos'): any =>
  openApiDocument({ routes, contextPath, version: '1.2.3' });

describe('paths', () => {
  it('stand below the context path, several methods of one together', () => {
    const document = documentOf([route({}), route({ method: 'PUT' }), route({ path: '/rollcall/v1/thing' })]);
    expect(document.servers).toEqual([{ url: '/nacos' }]);
    expect(Object.keys(document.paths['/v1/thing'])).toEqual(['get', 'put']);
    expect(document.paths['/v1/thing'].put).toMatchObject({ operationId: 'put_v1_thing', tags: ['v1'] });
    expect(document.paths['/rollcall/v1/thing'].get.tags).toEqual(['rollcall']);
    expect(documentOf([], '').servers).toEqual([{ url: '/' }]);
  });
});

it('describes parameters with their type and default, and those in the path', () => {
  const document = documentOf([
    route({
      path: '/things/{id}',
      parameters: [
        { name: 'id', description: 'Which' },
        { name: 'size', description: 'How large', type: 'integer', defaultValue: '7' },
        { name: 'deep', description: 'Whether', type: 'boolean', defaultValue: 'true' },
        { name: 'what', description: 'What', type: 'json', required: true },
      ],
    }),
  ]);
  expect(document.paths['/things/{id}'].get.parameters).toEqual([
    { name: 'id', in: 'path', description: 'Which', required: true, schema: { type: 'string' } },
    { name: 'size', in: 'query', description: 'How large', schema: { type: 'integer', default: 7 } },
    { name: 'deep', in: 'query', description: 'Whether', schema: { type: 'boolean', default: true } },
    {
      name: 'what',
      in: 'query',
      description: 'What',
      required: true,
      content: { 'application/json': { schema: {} } },
    },
  ]);
});

describe('schemas with a title', () => {
  const part = named('Part', objectOf({ name: STRING }));

  it('are listed once and referred to', () => {
    const document = documentOf([producing(arrayOf(part)), producing(objectOf({ part }), '/v1/other')]);
    const ref = { $ref: '#/components/schemas/Part' };
    const schemaAt = (path: string) => document.paths[path].get.responses['200'].content['application/json'].schema;
    expect(schemaAt('/v1/thing')).toEqual({ type: 'array', items: ref });
    expect(schemaAt('/v1/other').properties).toEqual({ part: ref });
    expect(document.components.schemas).toEqual({ Part: part });
  });

  it('must not differ under one title', () => {
    const other = named('Part', objectOf({ name: INTEGER }));
    expect(() => documentOf([producing(part), producing(other, '/v1/other')])).toThrow('"Part"');
  });
});

it('gives v2 and v3 the envelope for refusals, and no good answer where there is none', () => {
  const { paths } = documentOf([route({}), route({ path: '/v3/thing', produces: 'refusals-only' })]);
  const kinds = (path: string) => Object.keys(paths[path].get.responses.default.content);
  expect([kinds('/v1/thing'), kinds('/v3/thing')]).toEqual([['text/plain'], ['application/json', 'text/plain']]);
  expect(Object.keys(paths['/v3/thing'].get.responses)).toEqual(['default']);
});
