// The API description: an OpenAPI 3.1 document made from the routes that the server really has, so there is no second list.

import type { Route } from '../http/route.js';
import { openApiOperation, tagOf } from './openapi-operation.js';
import { OpenApiSchemas } from './openapi-schemas.js';

/** What the document is made from. */
export interface OpenApiOptions {
  readonly routes: readonly Route[];
  /** Prefix of all paths, without trailing slash; empty for none. */
  readonly contextPath: string;
  /** Version of the program. */
  readonly version: string;
}

const DESCRIPTION = `Parameters may be sent in the query or, with any method, as a form body
(application/x-www-form-urlencoded); the query wins. Every path is also served without the context path.
What differs from Nacos is listed in docs/compatibility.md of the project.`.replaceAll('\n', ' ');

const TAGS: Readonly<Record<string, string>> = {
  v1: 'HTTP v1 as of Nacos 1.4',
  v2: 'HTTP v2 as of Nacos 2.5',
  v3: 'HTTP v3 as of Nacos 3.0',
  rollcall: "Rollcall's own routes, for the command line and operators",
  server: 'Health, metrics and targets for those who watch the server',
};

/** The document. @throws Error when two schemas that differ have one title */
export function openApiDocument({ routes, contextPath, version }: OpenApiOptions): object {
  const schemas = new OpenApiSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: openApiOperation(route, schemas) };
  }
  const used = new Set(routes.map(({ path }) => tagOf(path)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rollcall',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: contextPath === '' ? '/' : contextPath }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: schemas.components },
  };
}
