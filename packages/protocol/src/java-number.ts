// Numbers as Java reads and prints them: doubles always carry a fraction (`1.0`), floats print their own shortest form.
// Source: java.lang.Double and Float (parseDouble, toString), Integer.parseInt, Jackson's number output.

// No two parts of it can take the same digits: a long text that is no number is then refused in linear time.
const FLOATING = /^[+-]?(?:NaN|Infinity|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)$/;
const INTEGER = /^[+-]?\d+$/;
const INT_MIN = -2147483648;
const INT_MAX = 2147483647;

/**
 * Reads a double in Java syntax: `1`, `1.`, `.5`, `1e2`, a type suffix (`1d`, `2f`), `NaN`, `Infinity`; blanks around it are cut.
 * Hexadecimal floats are not read.
 *
 * @returns the number (which may be NaN or infinite), or undefined when the text is none
 */
export function parseJavaDouble(text: string): number | undefined {
  const trimmed = text.trim();
  if (!FLOATING.test(trimmed)) return undefined;
  const last = trimmed.charCodeAt(trimmed.length - 1) | 0x20;
  // "Infinity" ends in y and "NaN" in n, so only a type suffix ends in d or f here.
  return Number(last === 0x64 || last === 0x66 ? trimmed.slice(0, -1) : trimmed);
}

/** Reads a 32-bit float in Java syntax, rounded to the nearest float. @returns undefined when the text is no number */
export function parseJavaFloat(text: string): number | undefined {
  const value = parseJavaDouble(text);
  return value === undefined ? undefined : Math.fround(value);
}

/** Reads a decimal 32-bit integer with optional sign, without blanks. @returns undefined when the text is none or overflows */
export function parseJavaInt(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = Number(text);
  return value < INT_MIN || value > INT_MAX ? undefined : value + 0;
}

/**
 * Prints a double as Java does: `1.0`, `0.01`, `1234.5`, `1.0E10`, `1.0E-4`, `NaN`, `Infinity`.
 * Digits are the shortest that read back as the same number.
 */
export function javaDoubleText(value: number): string {
  if (Number.isInteger(value) && value > -1e7 && value < 1e7) return Object.is(value, -0) ? '-0.0' : `${value}.0`;
  return floatingText(value, String(value));
}

/** Prints a 32-bit float as Java does, in the shortest digits that read back as the same float (`0.8`, not `0.800000011920929`). */
export function javaFloatText(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return String(single);
  for (let digits = 1; digits < 9; digits++) {
    const text = single.toPrecision(digits);
    if (Math.fround(Number(text)) === single) return javaDoubleText(Number(text));
  }
  return javaDoubleText(Number(single.toPrecision(9)));
}

/** A double for JSON: NaN and infinite numbers become strings, as Jackson writes them. */
export function jsonDouble(value: number): string {
  return Number.isFinite(value) ? javaDoubleText(value) : `"${value}"`;
}

/** A 32-bit float for JSON. */
export function jsonFloat(value: number): string {
  return Number.isFinite(value) ? javaFloatText(value) : `"${value}"`;
}

function floatingText(value: number, shortest: string): string {
  if (!Number.isFinite(value)) return shortest;
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) return shortest;
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
