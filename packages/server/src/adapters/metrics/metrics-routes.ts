// Where Prometheus reads: under our name, and where Nacos and others have it. Source: ops contract 3.7.

import { textBody } from '../http/answer-description.js';
import { STRING } from '../http/answer-schema.js';
import type { HttpAnswer } from '../http/http-answer.js';
import type { Route } from '../http/route.js';
import type { MetricsPage } from './metrics-page.js';

const PATHS = ['/rollcall/v1/metrics', '/actuator/prometheus', '/metrics'];

/** The routes. @param page - asked at each request */
export function metricsRoutes(page: () => MetricsPage): readonly Route[] {
  return PATHS.map((path) => ({
    method: 'GET',
    path,
    summary: 'Metrics in the text format of Prometheus',
    produces: textBody(STRING),
    handle: async (): Promise<HttpAnswer> => {
      const { contentType, text } = await page().render();
      return { status: 200, contentType, body: Buffer.from(text) };
    },
  }));
}
