// All routes of the server, found by method and path. Nearly every Nacos path is static, so the table is a map and needs no
// framework (docs/adr/0002-two-http-lanes.md); the few with a name in them are tried last. Both `/nacos/v1/…` and the bare
// `/v1/…` are found.

import { normalPath } from './request-path.js';
import type { Route, RouteMethod } from './route.js';
import { RouteCounts } from './route-counts.js';

/** Everything offered on one path. */
export interface PathEntry {
  /** Path without context path; as sent where the route has a name in its path. */
  readonly path: string;
  /** Routes by method. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Methods of {@link routes}, in the order in which they were added. */
  readonly methods: readonly RouteMethod[];
}

/** What a path leads to. */
export type PathLookup =
  /** Routes exist, perhaps none for the method. */
  | { readonly kind: 'known'; readonly entry: PathEntry }
  /** No route has this path; it is given without context path. */
  | { readonly kind: 'unknown'; readonly path: string }
  /** The path cannot be read: broken percent-encoding, or an encoded separator. */
  | { readonly kind: 'malformed' };

/** How a table is set up. */
export interface RouteTableOptions {
  /** Prefix under which everything is found beside the bare path. `/` or empty for none. Default `/nacos`. */
  readonly contextPath?: string;
}

/** Context path of a real server. */
const DEFAULT_CONTEXT_PATH = '/nacos';

/** Below it a trailing slash is another path, as the framework of 3.x has it (golden case v3-wrong-method). */
const EXACT_PATHS = '/v3/';

/** The routes of one server; immutable after construction. */
export class RouteTable {
  /** Prefix without trailing slash; empty when there is none. */
  readonly contextPath: string;
  readonly #routes: readonly Route[];
  readonly #entries = new Map<string, PathEntry>();
  /** The spellings that clients use, so that the usual request needs no normalising. */
  readonly #spellings = new Map<string, PathLookup>();
  /** Those with a name in their path. */
  readonly #named: PathEntry[] = [];

  /**
   * @param routes - all routes; the order only matters to the API description
   * @throws Error when two routes have the same method and path, or a path is not in normal form
   */
  constructor(routes: Iterable<Route>, options: RouteTableOptions = {}) {
    const contextPath = normalPath(`/${options.contextPath ?? DEFAULT_CONTEXT_PATH}`);
    if (contextPath === undefined) throw new Error(`Context path "${options.contextPath}" cannot be read`);
    this.contextPath = contextPath === '/' ? '' : contextPath;
    this.#routes = [...routes].map((route) => ({ ...route, counts: new RouteCounts() }));
    for (const route of this.#routes) this.#add(route);
    for (const [path, entry] of this.#entries) {
      const lookup: PathLookup = { kind: 'known', entry };
      this.#spellings.set(path, lookup);
      if (this.contextPath !== '') this.#spellings.set(this.contextPath + (path === '/' ? '' : path), lookup);
      if (path.split('/').some(isName)) this.#named.push(entry);
    }
  }

  /** All routes with their counts, in the order in which they were given. */
  get routes(): readonly Route[] {
    return this.#routes;
  }

  /**
   * Finds what a path leads to.
   *
   * @param path - path of a request target as sent, without query
   */
  find(path: string): PathLookup {
    return this.#spellings.get(path) ?? this.#findNormal(path);
  }

  #findNormal(path: string): PathLookup {
    const normal = normalPath(path);
    if (normal === undefined) return { kind: 'malformed' };
    const bare = this.#withoutContext(normal);
    if (path.endsWith('/') && bare.startsWith(EXACT_PATHS)) return { kind: 'unknown', path: bare };
    const found = this.#spellings.get(normal);
    if (found !== undefined) return found;
    const named = this.#entryOfNames(bare);
    return named === undefined ? { kind: 'unknown', path: bare } : { kind: 'known', entry: { ...named, path: bare } };
  }

  #entryOfNames(path: string): PathEntry | undefined {
    const segments = path.split('/');
    return this.#named.find((entry) => {
      const wanted = entry.path.split('/');
      return wanted.length === segments.length && wanted.every((part, i) => part === segments[i] || isName(part));
    });
  }

  #withoutContext(path: string): string {
    if (this.contextPath === '' || !path.startsWith(this.contextPath)) return path;
    const rest = path.slice(this.contextPath.length);
    if (rest === '') return '/';
    return rest.startsWith('/') ? rest : path;
  }

  #add(route: Route): void {
    if (!route.path.startsWith('/') || normalPath(route.path) !== route.path) {
      throw new Error(`Route path "${route.path}" is not in normal form`);
    }
    const entry = this.#entries.get(route.path);
    const routes = new Map(entry?.routes);
    if (routes.has(route.method)) throw new Error(`Route "${route.method} ${route.path}" is given twice`);
    routes.set(route.method, route);
    this.#entries.set(route.path, { path: route.path, routes, methods: [...routes.values()].map((r) => r.method) });
  }
}

/** Whether a segment of a route stands for any segment. */
function isName(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}
