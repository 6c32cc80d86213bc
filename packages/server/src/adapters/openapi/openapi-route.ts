// `/rollcall/v1/openapi.json`: the description of all routes, made when it is first asked for.

import { jsonBody } from '../http/answer-description.js';
import { preparedAnswer } from '../http/answer-head.js';
import { mapOf, objectOf, STRING } from '../http/answer-schema.js';
import { type HttpAnswer, jsonAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import { type OpenApiOptions, openApiDocument } from './openapi-document.js';

const PARTS = objectOf({
  openapi: STRING,
  info: objectOf({ title: STRING, version: STRING, description: STRING, license: mapOf(STRING) }),
  servers: { type: 'array' },
  tags: { type: 'array' },
  paths: mapOf({ type: 'object' }),
  components: mapOf({ type: 'object' }),
});

/** The route. @param options - asked once, at the first request, when all routes are known */
export function openApiRoute(options: () => OpenApiOptions): Route {
  let answer: HttpAnswer | undefined;
  return {
    method: 'GET',
    path: '/rollcall/v1/openapi.json',
    summary: 'This description of all routes, OpenAPI 3.1',
    produces: jsonBody(PARTS),
    handle: () => {
      answer ??= preparedAnswer(jsonAnswer(200, JSON.stringify(openApiDocument(options()))));
      return answer;
    },
  };
}
