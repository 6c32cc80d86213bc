// Reads a flat JSON object and keeps every scalar spelled as it was sent: `JSON.parse` would turn 1.50 into 1.5 and 1e3 into 1000.
// Source: how Jackson reads a Map<String, String> (Nacos metadata), text after the object ignored; RFC 8259 grammar.

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A place in a text; the reading functions move it. */
interface Cursor {
  readonly text: string;
  at: number;
}

/**
 * Reads one JSON object whose values are scalars. Null values are left out; of equal keys the last value wins at the first place.
 *
 * @param text - starts with `{`
 * @param keysMax - reading stops one key above it, so that the caller can refuse without reading more
 * @returns the entries, or undefined when the text does not start with such an object
 */
export function readFlatObject(text: string, keysMax: number): Map<string, string> | undefined {
  const cursor: Cursor = { text, at: 1 };
  const entries = new Map<string, string>();
  if (take(cursor, '}')) return entries;
  do {
    const key = readString(cursor);
    if (key === undefined || !take(cursor, ':')) return undefined;
    const value = readScalar(cursor);
    if (value === undefined) return undefined;
    if (value !== null) entries.set(key, value);
    if (entries.size > keysMax) return entries;
  } while (take(cursor, ','));
  return take(cursor, '}') ? entries : undefined;
}

function readScalar(cursor: Cursor): string | null | undefined {
  const string = readString(cursor);
  if (string !== undefined) return string;
  const word = match(cursor, WORD);
  if (word !== undefined) return word === 'null' ? null : word;
  return match(cursor, NUMBER);
}

/** Scans by hand: a pattern with alternatives would take stack for every character of a long value. */
function readString(cursor: Cursor): string | undefined {
  skipSpace(cursor);
  const { text, at } = cursor;
  if (text.charCodeAt(at) !== QUOTE) return undefined;
  let escaped = false;
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) {
      cursor.at = end + 1;
      return escaped ? unescaped(text.slice(at, end + 1)) : text.slice(at + 1, end);
    }
    if (code < 0x20) return undefined;
    if (code === BACKSLASH) {
      escaped = true;
      end++;
    }
  }
  return undefined;
}

function unescaped(literal: string): string | undefined {
  try {
    return JSON.parse(literal);
  } catch {
    return undefined;
  }
}

function take(cursor: Cursor, character: string): boolean {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at++;
  return true;
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  skipSpace(cursor);
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found === null) return undefined;
  cursor.at = pattern.lastIndex;
  return found[0];
}

function skipSpace(cursor: Cursor): void {
  while (isSpace(cursor.text.charCodeAt(cursor.at))) cursor.at++;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
