// The path of a request target brought into the one form that routes are found by.
// Source: http-v1 contract 1.1 (trailing slash, percent-encoded letters); a doubled slash is accepted because some clients join addresses that way.

const ENCODED_SEPARATOR = /%(?:2f|5c|00)/i;

/**
 * Percent-decodes a path once, makes runs of slashes one and drops trailing ones.
 *
 * @param path - path as sent, from `/`, without query
 * @returns the path (`/` at least), or undefined when a percent sequence is broken, is no UTF-8, or hides a separator or NUL
 */
export function normalPath(path: string): string | undefined {
  let decoded = path;
  if (path.includes('%')) {
    if (ENCODED_SEPARATOR.test(path)) return undefined;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      return undefined;
    }
  }
  const single = decoded.includes('//') ? decoded.replace(/\/{2,}/g, '/') : decoded;
  return single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single;
}
