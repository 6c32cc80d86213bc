// Where two JSON values differ, with the wildcards of gRPC expectations and members that may be missing or more.

import type { Difference } from '../golden/difference.js';
import type { Json } from '../golden/exact-json.js';

/** How to compare. */
export interface GrpcDifferenceOptions {
  readonly path: string;
  /** Paths of members that may be there or not: `$.hosts[].ipDeleteTimeout`; `$` stands for the service info. */
  readonly optionalMembers: ReadonlySet<string>;
  /** Whether there may be members that are not expected. */
  readonly extraAllowed: boolean;
}

/** `<varies>`: anything or nothing. `<any>`: anything. `<text>`: a text that is not empty. `<list:N>`: a list of N. */
const MATCHES: Readonly<Record<string, (found: Json | undefined) => boolean>> = {
  '<varies>': () => true,
  '<any>': (found) => found !== undefined,
  '<text>': (found) => typeof found === 'string' && found !== '',
  '<number>': (found) => typeof found === 'number',
};

/** All differences, in the order of the expected value. */
export function grpcDifferences(
  expected: Json | undefined,
  found: Json | undefined,
  options: GrpcDifferenceOptions,
): Difference[] {
  if (matchesWildcard(expected, found)) return [];
  if (Array.isArray(expected) && Array.isArray(found)) return listDifferences(expected, found, options);
  if (isObject(expected) && isObject(found)) return memberDifferences(expected, found, options);
  return expected === found ? [] : [{ path: options.path, expected, found }];
}

function matchesWildcard(expected: Json | undefined, found: Json | undefined): boolean {
  if (typeof expected !== 'string') return false;
  const length = /^<list:(\d+)>$/.exec(expected)?.[1];
  if (length !== undefined) return Array.isArray(found) && found.length === Number(length);
  return MATCHES[expected]?.(found) ?? false;
}

function listDifferences(expected: readonly Json[], found: readonly Json[], options: GrpcDifferenceOptions) {
  const { path } = options;
  if (expected.length !== found.length) return [{ path: `${path}.length`, expected: expected.length, found }];
  return expected.flatMap((entry, index) =>
    grpcDifferences(entry, found[index], { ...options, path: `${path}[${index}]` }),
  );
}

function memberDifferences(
  expected: Readonly<Record<string, Json>>,
  found: Readonly<Record<string, Json>>,
  options: GrpcDifferenceOptions,
): Difference[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].flatMap((name) => {
    const path = `${options.path}.${name}`;
    const isExpected = Object.hasOwn(expected, name);
    const isFound = Object.hasOwn(found, name);
    if (isExpected && isFound) return grpcDifferences(expected[name], found[name], { ...options, path });
    const mayDiffer = options.optionalMembers.has(shortPath(path)) || expected[name] === '<varies>';
    if (mayDiffer || (!isExpected && options.extraAllowed)) return [];
    return [{ path, expected: expected[name], found: found[name] }];
  });
}

function shortPath(path: string): string {
  return path
    .replace(/^.*?\.(?=hosts\[)/, '$.')
    .replace(/^\$\.serviceInfo\./, '$.')
    .replace(/\[\d+\]/g, '[]');
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
