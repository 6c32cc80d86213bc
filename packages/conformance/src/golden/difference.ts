// Where two JSON values differ, by path, with the wildcards that golden answers contain.

import type { Json } from './exact-json.js';

/** One place where what was found is not what was expected; undefined stands for nothing there. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** Matches anything, on either side. */
export const VARIES = '<varies>';
/** Matches any number. */
const ANY_NUMBER = '<number>';

/** All differences between two values, in the order of the expected one. */
export function differences(expected: Json | undefined, found: Json | undefined, path = '$'): Difference[] {
  if (expected === VARIES || found === VARIES) return [];
  if (expected === ANY_NUMBER && typeof found === 'number') return [];
  if (Array.isArray(expected) && Array.isArray(found)) return listDifferences(expected, found, path);
  if (isObject(expected) && isObject(found)) return memberDifferences(expected, found, path);
  return expected === found ? [] : [{ path, expected, found }];
}

function listDifferences(expected: readonly Json[], found: readonly Json[], path: string): Difference[] {
  const all: Difference[] = [];
  if (expected.length !== found.length) {
    all.push({ path: `${path}.length`, expected: expected.length, found: found.length });
  }
  for (let i = 0; i < Math.max(expected.length, found.length); i++) {
    const at = `${path}[${i}]`;
    if (i < expected.length && i < found.length) all.push(...differences(expected[i], found[i], at));
    else all.push({ path: at, expected: expected[i], found: found[i] });
  }
  return all;
}

function memberDifferences(
  expected: Readonly<Record<string, Json>>,
  found: Readonly<Record<string, Json>>,
  path: string,
): Difference[] {
  const members = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...members].flatMap((member) =>
    differences(ownMember(expected, member), ownMember(found, member), `${path}.${member}`),
  );
}

function ownMember(object: Readonly<Record<string, Json>>, member: string): Json | undefined {
  return Object.hasOwn(object, member) ? object[member] : undefined;
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
