// Members of a JSON body read the way Jackson reads them: scalars are turned into the wanted type, null and absent are
// the default, anything else is unreadable. Source: contract 3.1 (measured on 2.5.1).

import { parseJavaDouble } from '../java-number.js';
import { checkJsonParts } from '../json-parts.js';
import { RegistryError } from '../registry-error.js';

const decoder = new TextDecoder();

/** The members of one JSON object. Every reader throws RegistryError `malformed-request` for a value of no use. */
export class JsonMembers {
  readonly #members: Readonly<Record<string, unknown>>;

  private constructor(members: Readonly<Record<string, unknown>>) {
    this.#members = members;
  }

  /** Reads a body. @throws RegistryError `malformed-request` when it is missing or no JSON object, `limit-exceeded` for too many parts */
  static ofBody(body: Uint8Array | undefined): JsonMembers {
    if (body === undefined || body.length === 0) throw unreadable('there is no body');
    const text = decoder.decode(body);
    checkJsonParts(text, 'the body');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw unreadable('the body is no JSON', cause);
    }
    return JsonMembers.#of(value, 'the body');
  }

  /** Whether a member is there and not null. */
  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  /** A text; numbers and booleans become their JSON text. Undefined when absent or null. */
  text(name: string): string | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : scalarText(value, name);
  }

  /** A whole number; fractions are cut, texts are read. @param absent - default */
  int(name: string, absent: number): number {
    const value = this.#get(name);
    if (value === undefined || value === '') return absent;
    const number = typeof value === 'number' ? value : Number(scalarText(value, name));
    if (!Number.isFinite(number)) throw unreadable(`member "${name}" is no number`);
    return Math.trunc(number);
  }

  /** A number; texts are read with Java's syntax. @param absent - default */
  double(name: string, absent: number): number {
    const value = this.#get(name);
    if (value === undefined || value === '') return absent;
    const number = typeof value === 'number' ? value : parseJavaDouble(scalarText(value, name));
    if (number === undefined) throw unreadable(`member "${name}" is no number`);
    return number;
  }

  /** A truth value; `"true"`, `"false"` and numbers are read too. @param absent - default */
  boolean(name: string, absent: 'true' | 'false'): boolean {
    const value = this.#get(name);
    if (value === undefined || value === '') return absent === 'true';
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number') return value !== 0;
    const text = scalarText(value, name).toLowerCase();
    if (text !== 'true' && text !== 'false') throw unreadable(`member "${name}" is neither true nor false`);
    return text === 'true';
  }

  /** An object. Undefined when absent or null. */
  object(name: string): JsonMembers | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : JsonMembers.#of(value, `member "${name}"`);
  }

  /** A list of objects. Undefined when absent or null. */
  objects(name: string): JsonMembers[] | undefined {
    return this.#list(name)?.map((value) => JsonMembers.#of(value, `an element of "${name}"`));
  }

  /** A list of texts; null elements are left out. Undefined when absent or null. */
  texts(name: string): string[] | undefined {
    return this.#list(name)
      ?.filter((value) => value !== null)
      .map((value) => scalarText(value, name));
  }

  /** An object as a map of texts; null values are left out, as Java servers do not show them. */
  textMap(name: string): ReadonlyMap<string, string> {
    const value = this.#get(name);
    const map = new Map<string, string>();
    if (value === undefined) return map;
    if (typeof value !== 'object' || Array.isArray(value)) throw unreadable(`member "${name}" is no object`);
    for (const [key, entry] of Object.entries(value as object))
      if (entry !== null) map.set(key, scalarText(entry, `${name}.${key}`));
    return map;
  }

  #get(name: string): unknown {
    const value = Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
    return value === null ? undefined : value;
  }

  #list(name: string): unknown[] | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw unreadable(`member "${name}" is no list`);
    return value;
  }

  static #of(value: unknown, what: string): JsonMembers {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(`${what} is no object`);
    return new JsonMembers(value as Readonly<Record<string, unknown>>);
  }
}

function scalarText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw unreadable(`member "${name}" is no text`);
}

function unreadable(reason: string, cause?: unknown): RegistryError {
  return new RegistryError('malformed-request', `Request cannot be read: ${reason}`, { cause });
}
