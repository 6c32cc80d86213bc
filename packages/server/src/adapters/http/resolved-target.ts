// What a method and a request target lead to.

import { type ParameterLimits, Parameters } from '@rollcall/protocol';
import type { Route } from './route.js';
import type { PathLookup, RouteTable } from './route-table.js';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** A method and a target with all that follows from them alone. */
export interface ResolvedTarget {
  /** Method as sent. */
  readonly method: string;
  /** Target as sent. */
  readonly target: string;
  /** Path as sent, before it was brought into normal form. */
  readonly sentPath: string;
  /** What follows `?`, as sent; empty without query. */
  readonly query: string;
  /** What the path leads to. */
  readonly lookup: PathLookup;
  /** The route for the method; undefined when there is none. */
  readonly route: Route | undefined;
  /** Parameters of the query. */
  readonly parameters: Parameters;
}

/**
 * Finds the route of a request.
 *
 * @param request.method - as sent; HEAD finds what GET finds
 * @param request.target - origin form, or absolute form (RFC 9112 section 3.2.2), whose authority is ignored
 */
export function resolveTarget(
  routes: RouteTable,
  limits: ParameterLimits,
  request: { readonly method: string; readonly target: string },
): ResolvedTarget {
  const { method, target } = request;
  const origin = target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM, '');
  const mark = origin.indexOf('?');
  const sentPath = (mark < 0 ? origin : origin.slice(0, mark)) || '/';
  const query = mark < 0 ? '' : origin.slice(mark + 1);
  const lookup = routes.find(sentPath);
  const route = lookup.kind === 'known' ? routeFor(lookup.entry.routes, method) : undefined;
  const parameters = new Parameters(query, undefined, limits);
  return { route, method, target, sentPath, query, lookup, parameters };
}

function routeFor(routes: ReadonlyMap<string, Route>, method: string): Route | undefined {
  if (method !== 'HEAD') return routes.get(method);
  const route = routes.get('GET');
  return route?.stream === true ? undefined : route;
}
