// Strings for JSON that is built by hand. Most names and addresses need no escape, and finding that out is cheaper than a general encoder.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped
const NEEDS_ESCAPE = /["\\\x00-\x1f\ud800-\udfff]/;

/** A text as a JSON string with quotes. Non-ASCII stays as it is; a lone surrogate is escaped, so that the result is always valid UTF-8. */
export function jsonText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}
