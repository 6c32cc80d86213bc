// Decoding of one form-encoded name or value: `+` is a space, bytes are UTF-8, what is no UTF-8 becomes U+FFFD.
// Source: WHATWG URL (urlencoded parsing); that a broken percent sequence drops the parameter was measured on Nacos (golden README).

const PERCENT = 0x25;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all single bytes are meant
const BEYOND_BYTES = /[^\x00-\xff]/;
const encoder = new TextEncoder();

/**
 * Decodes one name or value of a query or form exactly once.
 *
 * @param text - characters as sent; may hold characters beyond ASCII, which stay
 * @returns the decoded text, or undefined when a percent sign is not followed by two hexadecimal digits
 */
export function decodeFormText(text: string): string | undefined {
  // Split and joined: replacing takes four times as long, for a body of plus signs a second.
  const spaced = text.includes('+') ? text.split('+').join(' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Either a broken sequence or bytes that are no UTF-8: the slow path tells them apart.
    return decodeLoosely(spaced);
  }
}

function decodeLoosely(text: string): string | undefined {
  const bytes: number[] = [];
  let plainFrom = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) !== PERCENT) continue;
    const high = hexDigit(text.charCodeAt(i + 1));
    const low = hexDigit(text.charCodeAt(i + 2));
    if (high < 0 || low < 0) return undefined;
    for (const byte of encoder.encode(text.slice(plainFrom, i))) bytes.push(byte);
    bytes.push(high * 16 + low);
    i += 2;
    plainFrom = i + 1;
  }
  for (const byte of encoder.encode(text.slice(plainFrom))) bytes.push(byte);
  return utf8.decode(new Uint8Array(bytes));
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/**
 * Reads raw bytes beyond ASCII in a request target as UTF-8. Node gives a target one character per byte, so `é` arrives as two
 * characters; a text with characters beyond U+00FF cannot come from bytes and is returned as it is.
 *
 * @param target - request target or query, one character per byte
 */
export function decodeTargetBytes(target: string): string {
  if (ASCII.test(target) || BEYOND_BYTES.test(target)) return target;
  return utf8.decode(Uint8Array.from(target, (character) => character.charCodeAt(0)));
}
