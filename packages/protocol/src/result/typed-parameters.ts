// Parameters as HTTP v2 and v3 read them: bound to a type by the framework, blank counts as missing.
// Source: Nacos 2.5.1 InstanceForm.validate, ServiceForm.validate (form) and @RequestParam of its framework (request);
// http-v2-v3 contract 2 and 3.1. What cannot be bound is 400 with code 20002 here; the real servers answer 500.

import { parseJavaDouble, parseJavaFloat, parseJavaInt } from '../java-number.js';
import { isBlank, javaTrim } from '../java-text.js';
import type { Parameters } from '../parameters.js';
import { RegistryError } from '../registry-error.js';

/** Where a value is looked for on the real servers; only the text for a missing one differs. */
export type ParameterSource = 'form' | 'request';

/** Java type in the text for a missing value. */
type TypeName = 'String' | 'Integer' | 'Boolean' | 'Double';

const TRUE_WORDS: readonly string[] = ['true', 'on', 'yes', '1'];
const FALSE_WORDS: readonly string[] = ['false', 'off', 'no', '0'];
const SHOWN_LENGTH = 200;

/** The parameters of one request with the rules of v2 and v3. Texts are not trimmed, numbers and booleans are. */
export class TypedParameters {
  readonly #parameters: Parameters;
  readonly #source: ParameterSource;

  constructor(parameters: Parameters, source: ParameterSource) {
    this.#parameters = parameters;
    this.#source = source;
  }

  /** The value as sent, undefined when absent or blank. */
  text(name: string): string | undefined {
    const value = this.#parameters.get(name);
    return value === undefined || isBlank(value) ? undefined : value;
  }

  /** A value that must be there. @throws RegistryError `missing-parameter` */
  requiredText(name: string): string {
    return this.text(name) ?? this.#missing(name, 'String');
  }

  /** 32-bit integer, undefined when absent or blank. @throws RegistryError `invalid-parameter` */
  int(name: string): number | undefined {
    return this.#bound(name, parseJavaInt, 'integers from -2147483648 to 2147483647');
  }

  /** 32-bit integer that must be there. @throws RegistryError `missing-parameter`, `invalid-parameter` */
  requiredInt(name: string): number {
    return this.int(name) ?? this.#missing(name, 'Integer');
  }

  /** Double, undefined when absent or blank. NaN and infinite ones pass: the range check refuses them. @throws RegistryError `invalid-parameter` */
  double(name: string): number | undefined {
    return this.#bound(name, parseJavaDouble, 'numbers');
  }

  /** Double that must be there. @throws RegistryError `missing-parameter`, `invalid-parameter` */
  requiredDouble(name: string): number {
    return this.double(name) ?? this.#missing(name, 'Double');
  }

  /** Finite 32-bit float, undefined when absent or blank. @throws RegistryError `invalid-parameter` */
  float(name: string): number | undefined {
    return this.#bound(name, finiteFloat, 'finite numbers');
  }

  /** `true/on/yes/1` or `false/off/no/0` in any case, undefined when absent or blank. @throws RegistryError `invalid-parameter` for other words */
  boolean(name: string): boolean | undefined {
    return this.#bound(name, booleanOf, '"true", "on", "yes", "1", "false", "off", "no" and "0"');
  }

  /** Boolean that must be there. @throws RegistryError `missing-parameter`, `invalid-parameter` */
  requiredBoolean(name: string): boolean {
    return this.boolean(name) ?? this.#missing(name, 'Boolean');
  }

  #bound<T>(name: string, parse: (text: string) => T | undefined, allowed: string): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = parse(javaTrim(text));
    if (value !== undefined) return value;
    const found = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
    const message = `Param '${name}' is illegal, found "${found}", allowed are ${allowed}`;
    throw new RegistryError('invalid-parameter', message, { details: { parameter: name } });
  }

  #missing(name: string, type: TypeName): never {
    const message =
      this.#source === 'form'
        ? `Required parameter '${name}' type ${type} is not present`
        : `Required request parameter '${name}' for method parameter type ${type} is not present`;
    throw new RegistryError('missing-parameter', message, { details: { parameter: name } });
  }
}

function finiteFloat(text: string): number | undefined {
  const value = parseJavaFloat(text);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function booleanOf(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (TRUE_WORDS.includes(word)) return true;
  return FALSE_WORDS.includes(word) ? false : undefined;
}
