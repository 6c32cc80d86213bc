// What a method and a request target lead to, worked out once and, for targets that repeat, kept with bounded memory.

import { type ParameterLimits, Parameters } from '@rollcall/protocol';
import type { TargetMemo } from './http-request.js';
import type { Route } from './route.js';
import type { PathLookup, RouteTable } from './route-table.js';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** A method and a target with all that follows from them alone. */
export interface ResolvedTarget {
  /** Target as sent. */
  readonly target: string;
  /** Path as sent, before it was brought into normal form. */
  readonly sentPath: string;
  /** What follows `?`, as sent; empty without query. */
  readonly query: string;
  readonly lookup: PathLookup;
  /** The route for the method; undefined when there is none. */
  readonly route: Route | undefined;
  /** Parameters of the query. */
  readonly parameters: Parameters;
  readonly memo: TargetMemo;
}

/**
 * Finds the route of a request.
 *
 * @param method - as sent; HEAD finds what GET finds
 * @param target - origin form, or absolute form (RFC 9112 section 3.2.2), whose authority is ignored
 */
export function resolveTarget(
  routes: RouteTable,
  limits: ParameterLimits,
  request: { readonly method: string; readonly target: string },
): ResolvedTarget {
  const target = request.target;
  const origin = target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM, '');
  const mark = origin.indexOf('?');
  const sentPath = (mark < 0 ? origin : origin.slice(0, mark)) || '/';
  const query = mark < 0 ? '' : origin.slice(mark + 1);
  const lookup = routes.find(sentPath);
  const route = lookup.kind === 'known' ? routeFor(lookup.entry.routes, request.method) : undefined;
  const parameters = new Parameters(query, undefined, limits);
  return { target, sentPath, query, lookup, route, parameters, memo: { value: undefined } };
}

function routeFor(routes: ReadonlyMap<string, Route>, method: string): Route | undefined {
  if (method !== 'HEAD') return routes.get(method);
  const route = routes.get('GET');
  return route?.stream === true ? undefined : route;
}

/** Bound of one generation of a {@link TargetCache}. */
export interface TargetCacheLimits {
  /** Targets. 0 turns the cache off. */
  readonly targets: number;
  /** Bytes of the targets; a target larger than a hundredth of it is not kept. */
  readonly bytes: number;
}

/**
 * Keeps resolved targets in two generations: when the young one is full it becomes the old one, and what is used again moves
 * back. So at most twice the bound is kept, the hot targets stay, and nothing has to be sorted.
 */
export class TargetCache {
  readonly #limits: TargetCacheLimits;
  #young = new Map<string, ResolvedTarget>();
  #old = new Map<string, ResolvedTarget>();
  #youngBytes = 0;

  constructor(limits: TargetCacheLimits) {
    this.#limits = limits;
  }

  /** Targets kept now, in both generations. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Finds a target. @param key - `METHOD target` */
  get(key: string): ResolvedTarget | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.#old.delete(key);
    this.#insert(key, old);
    return old;
  }

  /** Keeps a target, unless it is too large for the bound. @returns whether it is kept */
  add(key: string, resolved: ResolvedTarget): boolean {
    if (this.#limits.targets === 0 || key.length * 100 > this.#limits.bytes) return false;
    this.#insert(key, resolved);
    return true;
  }

  #insert(key: string, resolved: ResolvedTarget): void {
    if (this.#young.size >= this.#limits.targets || this.#youngBytes + key.length > this.#limits.bytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(key, resolved);
    this.#youngBytes += key.length;
  }
}
