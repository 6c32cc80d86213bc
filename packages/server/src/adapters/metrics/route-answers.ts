// Answers of routes as values of a metric: only what has happened, or there would be hundreds of zeros.

import type { Route } from '../http/route.js';
import type { MetricSample } from './metric-sample.js';

/** Answers of one route with one status. */
export interface RouteAnswers extends MetricSample {
  readonly labels: { readonly method: string; readonly route: string; readonly status: string };
  /** Time until they were ready, ms, all together. */
  readonly tookMs: number;
}

/** How many answers each route has given, by status. */
export function* routeAnswers(routes: readonly Route[]): Generator<RouteAnswers> {
  for (const { method, path: route, counts } of routes) {
    if (counts === undefined) continue;
    const { ok, others } = counts;
    const answers: readonly (readonly [status: number, value: number])[] =
      ok > 0 ? [[200, ok], ...others] : [...others];
    for (const [status, value] of answers) {
      yield { value, labels: { method, route, status: String(status) }, tookMs: counts.tookMs.get(status) ?? 0 };
    }
  }
}
