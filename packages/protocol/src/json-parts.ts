// Bounds how much there is to build from a JSON text before it is parsed: bytes alone do not say it. Ten million brackets, or a
// million different keys, keep the event loop for seconds, and everybody's beats with it. Rule of our own; RFC 8259 for the grammar.

import { RegistryError } from './registry-error.js';

/**
 * Objects, lists, members and elements in one JSON text: 5,000 instances (the longest batch) with 50 values each, twice what
 * clients send. Reading as many different keys takes 0.5 s at worst.
 */
export const JSON_PARTS_MAX = 250_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Checks a text that is about to be parsed; whether it is JSON at all is for the parser to say.
 *
 * @param what - names the text in the error, such as `the body`
 * @throws RegistryError `limit-exceeded` when it has more than {@link JSON_PARTS_MAX} parts
 */
export function checkJsonParts(text: string, what: string): void {
  // Each part takes a character: what is shorter need not be looked at.
  if (text.length <= JSON_PARTS_MAX) return;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE) parts++;
    if (parts > JSON_PARTS_MAX) throw tooMany(what);
  }
}

/** Where the string that begins at a quote ends; the end of the text when it does not. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

function tooMany(what: string): RegistryError {
  return new RegistryError(
    'limit-exceeded',
    `JSON of ${what} has more than ${JSON_PARTS_MAX} members and elements, allowed are ${JSON_PARTS_MAX}`,
    { details: { parameter: what, allowed: JSON_PARTS_MAX } },
  );
}
