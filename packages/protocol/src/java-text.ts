// What Java calls trimming and blank, since Nacos clients meet both: `String.trim` cuts every character up to U+0020.
// Source: java.lang.String.trim, Nacos StringUtils.isBlank.

/** Cuts characters up to U+0020 (space and controls) from both ends, as `String.trim` does; other white space stays. */
export function javaTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Whether a text is empty or white space alone. */
export function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x20) return text.trim() === '';
  }
  return true;
}

/**
 * Splits as `String.split` with one literal separator: empty parts at the end are dropped, those inside stay.
 * A text without separator is one part, also when it is empty.
 */
export function javaSplit(text: string, separator: string): string[] {
  const parts = text.split(separator);
  if (parts.length === 1) return parts;
  while (parts.length > 0 && parts[parts.length - 1] === '') parts.pop();
  return parts;
}
