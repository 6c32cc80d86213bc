// The parameters of one HTTP request: query and form body merged, decoded on first use, read in the ways Nacos reads them.
// Source: Nacos 1.4.8 WebUtils.required/optional, @RequestParam of its framework, ConvertUtils, NumberUtils; contract 1.3.

import { parseJavaDouble, parseJavaFloat, parseJavaInt } from './java-number.js';
import { isBlank, javaTrim } from './java-text.js';
import { DEFAULT_LIMITS } from './limits.js';
import { decodeFormText, decodeTargetBytes } from './percent-decoding.js';
import { RegistryError } from './registry-error.js';

const utf8 = new TextDecoder();

/** What {@link Parameters} needs to know of the limits. */
export type ParameterLimits = Pick<typeof DEFAULT_LIMITS, 'requestParameters'>;

/**
 * Parameters of one request. The query wins over the form; of equal names the first wins. A parameter with a broken percent
 * sequence does not exist. Names are plain strings compared one by one, so no name is special.
 *
 * Readers named like Nacos's own: `required` and `optional` are those of its `WebUtils` (trimmed), the `bound…` ones those of
 * its framework (not trimmed, other error text).
 */
export class Parameters {
  #query: string;
  #form: Uint8Array | undefined;
  #limits: ParameterLimits;
  #names: string[] | undefined;
  #values: string[] = [];
  /** Places of values that are not decoded yet; undefined when there are none. */
  #encoded: Set<number> | undefined;

  /**
   * @param query - what follows `?` in the request target, one character per byte; empty when there is none
   * @param form - body bytes when the body is a form, see `isFormBody`
   * @param limits - bound on the number of parameters
   */
  constructor(query: string, form?: Uint8Array, limits: ParameterLimits = DEFAULT_LIMITS) {
    this.#query = query;
    this.#form = form;
    this.#limits = limits;
  }

  /**
   * First value of a parameter, decoded and otherwise as sent; undefined when it is absent.
   *
   * @throws RegistryError `limit-exceeded` when the request has too many parameters
   */
  get(name: string): string | undefined {
    const names = this.#names ?? this.#parse();
    for (let i = 0; i < names.length; i++) {
      if (names[i] !== name) continue;
      const value = this.#valueAt(i);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Whether a parameter is there, with any value. */
  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Trimmed value of a parameter that must be there. @throws RegistryError `missing-parameter` when absent or empty (blank passes as empty) */
  required(name: string): string {
    const value = this.get(name);
    if (value === undefined || value === '') throw missing(name, `Param '${name}' is required.`);
    return javaTrim(value);
  }

  /** Trimmed value, or undefined when the parameter is absent, empty or blank. */
  present(name: string): string | undefined {
    const value = this.get(name);
    return value === undefined || isBlank(value) ? undefined : javaTrim(value);
  }

  /** Trimmed value, or the default when the parameter is absent, empty or blank. */
  optional(name: string, defaultValue: string): string {
    return this.present(name) ?? defaultValue;
  }

  /** 32-bit integer, or the default when absent or blank. @throws RegistryError `invalid-parameter` when it is none */
  int(name: string, defaultValue: number): number {
    const text = this.present(name);
    return text === undefined ? defaultValue : intOf(name, text);
  }

  /** 32-bit integer that must be there. @throws RegistryError `missing-parameter`, or `invalid-parameter` when it is no integer */
  requiredInt(name: string): number {
    return intOf(name, this.required(name));
  }

  /** 32-bit integer; absent or blank gives the default, what is no integer gives 0. Never fails. */
  lenientInt(name: string, defaultValue: number): number {
    const text = this.present(name);
    return text === undefined ? defaultValue : (parseJavaInt(text) ?? 0);
  }

  /** Like {@link lenientInt} for a parameter that must be there. @throws RegistryError `missing-parameter` */
  requiredLenientInt(name: string): number {
    return parseJavaInt(this.required(name)) ?? 0;
  }

  /** True for `true`, `yes`, `on`, `y`, `t` in any case and false for everything else, also `1`; absent or blank gives the default. */
  looseBoolean(name: string, defaultValue: boolean): boolean {
    const text = this.present(name);
    return text === undefined ? defaultValue : isLooselyTrue(text);
  }

  /** True only for `true` in any case; absent or blank gives the default. */
  strictBoolean(name: string, defaultValue: boolean): boolean {
    const text = this.present(name);
    return text === undefined ? defaultValue : text.toLowerCase() === 'true';
  }

  /**
   * Double in Java syntax, or the default when absent or blank. May be NaN or infinite, whose refusal belongs to the range check
   * of the value (`checkWeight`), since that has the text which clients know.
   *
   * @throws RegistryError `invalid-parameter` when it is no number
   */
  double(name: string, defaultValue: number): number {
    const text = this.present(name);
    if (text === undefined) return defaultValue;
    const value = parseJavaDouble(text);
    if (value === undefined) throw notANumber(name, text);
    return value;
  }

  /** Finite 32-bit float that must be there; a text that is no number gives 0. @throws RegistryError `missing-parameter`, or `invalid-parameter` for NaN and infinite numbers */
  requiredLenientFloat(name: string): number {
    const text = this.required(name);
    const value = parseJavaFloat(text) ?? 0;
    if (!Number.isFinite(value)) throw notFinite(name, text);
    return value;
  }

  /** Untrimmed value of a parameter that must be there, even empty. @throws RegistryError `missing-parameter` when absent */
  boundRequired(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw missing(name, `Parameter '${name}' is missing`);
    return value;
  }

  /** Untrimmed value, or the default when absent or empty (blank is kept). */
  bound(name: string, defaultValue: string): string {
    const value = this.get(name);
    return value === undefined || value === '' ? defaultValue : value;
  }

  /** 32-bit integer that must be there. @throws RegistryError `missing-parameter`, or `invalid-parameter` when it is no integer */
  boundRequiredInt(name: string): number {
    const text = javaTrim(this.boundRequired(name));
    if (text === '') throw missing(name, `Parameter '${name}' is missing`);
    return intOf(name, text);
  }

  /** `true/on/yes/1` or `false/off/no/0` in any case; absent or empty is false. @throws RegistryError `invalid-parameter` for other words */
  boundBoolean(name: string): boolean {
    const text = javaTrim(this.bound(name, 'false')).toLowerCase();
    if (text === 'true' || text === 'on' || text === 'yes' || text === '1') return true;
    if (text === 'false' || text === 'off' || text === 'no' || text === '0') return false;
    throw new RegistryError(
      'invalid-parameter',
      `Param '${name}' is illegal, found "${shown(text)}", allowed are true and false`,
      {
        details: { parameter: name, found: shown(text) },
      },
    );
  }

  /** Finite 32-bit float, or the default when absent or empty. @throws RegistryError `invalid-parameter` when it is no number, NaN or infinite */
  boundFloat(name: string, defaultValue: number): number {
    const text = this.get(name);
    if (text === undefined || text === '') return Math.fround(defaultValue);
    const value = parseJavaFloat(text);
    if (value === undefined) throw notANumber(name, text);
    if (!Number.isFinite(value)) throw notFinite(name, text);
    return value;
  }

  /** Decoded pairs in the order in which they were sent, query first, repeated names included. For logs and forwarding, not for reading. */
  *entries(): IterableIterator<readonly [string, string]> {
    const names = this.#names ?? this.#parse();
    for (let i = 0; i < names.length; i++) {
      const value = this.#valueAt(i);
      if (value !== undefined) yield [names[i] as string, value];
    }
  }

  #valueAt(index: number): string | undefined {
    const value = this.#values[index] as string;
    if (this.#encoded === undefined || !this.#encoded.has(index)) return value;
    const decoded = decodeFormText(value);
    if (decoded === undefined) return undefined;
    this.#values[index] = decoded;
    this.#encoded.delete(index);
    return decoded;
  }

  #parse(): string[] {
    const names: string[] = [];
    this.#values = [];
    this.#encoded = undefined;
    if (this.#query !== '') this.#append(names, decodeTargetBytes(this.#query));
    if (this.#form !== undefined && this.#form.length > 0) this.#append(names, utf8.decode(this.#form));
    this.#names = names;
    return names;
  }

  #append(names: string[], text: string): void {
    const encoded = text.includes('%') || text.includes('+');
    let equals = -1;
    for (let start = 0; start < text.length; ) {
      const ampersand = text.indexOf('&', start);
      const end = ampersand < 0 ? text.length : ampersand;
      if (equals < start) equals = positionFrom(text, '=', start);
      if (end > start) {
        const nameEnd = Math.min(equals, end);
        const value = equals < end ? text.slice(equals + 1, end) : '';
        this.#add(names, { name: text.slice(start, nameEnd), value, encoded });
      }
      start = end + 1;
    }
  }

  #add(names: string[], pair: { readonly name: string; readonly value: string; readonly encoded: boolean }): void {
    const name = pair.encoded ? decodeFormText(pair.name) : pair.name;
    if (name === undefined || name === '') return;
    const allowed = this.#limits.requestParameters;
    if (names.length >= allowed) {
      throw new RegistryError('limit-exceeded', `Request has more than ${allowed} parameters, allowed are ${allowed}`, {
        details: { allowed },
      });
    }
    if (pair.encoded && (pair.value.includes('%') || pair.value.includes('+'))) {
      this.#encoded ??= new Set();
      this.#encoded.add(names.length);
    }
    names.push(name);
    this.#values.push(pair.value);
  }
}

/** Where a character is next; the end of the text when it is not. Looked for once for many parts, so that a long query takes one pass. */
function positionFrom(text: string, character: string, start: number): number {
  const at = text.indexOf(character, start);
  return at < 0 ? text.length : at;
}

/** Whether Nacos reads a word as true: `true`, `yes`, `on`, `y`, `t` in any case. */
export function isLooselyTrue(text: string): boolean {
  switch (text) {
    case 'true':
      return true;
    case 'false':
      return false;
    default: {
      const word = text.toLowerCase();
      return word === 'true' || word === 'yes' || word === 'on' || word === 'y' || word === 't';
    }
  }
}

function intOf(name: string, text: string): number {
  const value = parseJavaInt(text);
  if (value === undefined) throw notANumber(name, text);
  return value;
}

function missing(name: string, message: string): RegistryError {
  return new RegistryError('missing-parameter', message, { details: { parameter: name } });
}

function notANumber(name: string, text: string): RegistryError {
  return new RegistryError('invalid-parameter', `For input string: "${shown(text)}"`, { details: { parameter: name } });
}

function notFinite(name: string, text: string): RegistryError {
  return new RegistryError(
    'invalid-parameter',
    `Param '${name}' is illegal, found "${shown(text)}", allowed are finite numbers`,
    {
      details: { parameter: name },
    },
  );
}

/** Keeps what is quoted back short. */
function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
