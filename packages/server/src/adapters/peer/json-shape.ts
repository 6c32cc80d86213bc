// Readers of JSON values that came from another node: each takes the value or refuses it with its place. Objects are made
// anew from the members that are known, so that nothing else gets through.

import { PeerFault } from './peer-fault.js';

/** Reads a value. @param place - of the value, for the refusal. @throws PeerFault `malformed` */
export type Shape<T> = (value: unknown, place: string) => T;

/** What a shape gives. */
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

function refuse(value: unknown, place: string, allowed: string): never {
  const text = JSON.stringify(value) ?? 'nothing';
  throw new PeerFault('malformed', `found ${text.slice(0, 80)} at "${place}", allowed is ${allowed}`);
}

/** A text. @param lengthMax - UTF-16 units */
export function textShape(lengthMax: number): Shape<string> {
  return (value, place) =>
    typeof value === 'string' && value.length <= lengthMax
      ? value
      : refuse(value, place, `a text of at most ${lengthMax} characters`);
}

/** A whole number, both bounds included. */
export function integerShape(min: number, max: number = Number.MAX_SAFE_INTEGER): Shape<number> {
  return (value, place) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? plain(value)
      : refuse(value, place, `a whole number from ${min} to ${max}`);
}

/** Any number between two, both included. */
export function numberShape(min: number, max: number): Shape<number> {
  return (value, place) =>
    typeof value === 'number' && value >= min && value <= max
      ? plain(value)
      : refuse(value, place, `a number from ${min} to ${max}`);
}

/** The number, and 0 for -0: what is read and written again is the same then. */
function plain(value: number): number {
  return value + 0;
}

/** True or false. */
export const booleanShape: Shape<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : refuse(value, place, 'true or false');

/** One of a few words. */
export function wordShape<const W extends string>(...words: readonly W[]): Shape<W> {
  return (value, place) => words.find((word) => word === value) ?? refuse(value, place, `one of ${words.join(', ')}`);
}

/** A list. */
export function listShape<T>(item: Shape<T>, lengthMax: number): Shape<readonly T[]> {
  return (value, place) =>
    Array.isArray(value) && value.length <= lengthMax
      ? value.map((each, index) => item(each, `${place}[${index}]`))
      : refuse(value, place, `a list of at most ${lengthMax}`);
}

/** A list of a fixed length in which each place has its own shape. */
export function tupleShape<const T extends readonly unknown[]>(
  ...items: { readonly [K in keyof T]: Shape<T[K]> }
): Shape<T> {
  return (value, place) =>
    Array.isArray(value) && value.length === items.length
      ? (items.map((item, index) => item(value[index], `${place}[${index}]`)) as unknown as T)
      : refuse(value, place, `a list of ${items.length}`);
}

/** A member that may be absent. */
export interface Optional<T> {
  readonly optional: Shape<T>;
}

/** Marks a member that may be absent. */
export function maybe<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape };
}

type ObjectOf<M> = {
  readonly [K in keyof M as M[K] extends Shape<unknown> ? K : never]: ShapeOf<M[K]>;
} & {
  readonly [K in keyof M as M[K] extends Optional<unknown> ? K : never]?: M[K] extends Optional<infer T> ? T : never;
};

/** An object with these members; others are left out. */
export function objectShape<M extends Readonly<Record<string, Shape<unknown> | Optional<unknown>>>>(
  members: M,
): Shape<ObjectOf<M>> {
  const entries = Object.entries(members);
  return (value, place) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(value, place, 'an object');
    const result: Record<string, unknown> = {};
    for (const [name, member] of entries) {
      const found = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      if (typeof member === 'function') result[name] = member(found, `${place}.${name}`);
      else if (found !== undefined) result[name] = member.optional(found, `${place}.${name}`);
    }
    return result as ObjectOf<M>;
  };
}

/** One of several objects, told apart by a word in one member. */
export function unionShape<T>(tag: string, shapes: Readonly<Record<string, Shape<T>>>): Shape<T> {
  return (value, place) => {
    const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[tag] : undefined;
    const shape = typeof found === 'string' && Object.hasOwn(shapes, found) ? shapes[found] : undefined;
    if (shape !== undefined) return shape(value, place);
    return refuse(found, `${place}.${tag}`, `one of ${Object.keys(shapes).join(', ')}`);
  };
}
