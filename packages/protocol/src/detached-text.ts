// Copies of texts that are kept. A JavaScript engine cuts a text of 13 characters or more out of a longer one by pointing into
// it, so keeping the IP of an instance would keep the whole request head it came in (measured: 336 bytes instead of 32).

const POINTED_FROM = 13;
const CHUNK = 1024;

/** A copy of a text that keeps nothing else alive. */
export function detached(text: string): string {
  if (text.length < POINTED_FROM) return text;
  if (text.length <= CHUNK) return copyOf(text, 0, text.length);
  let copy = '';
  for (let at = 0; at < text.length; at += CHUNK) copy += copyOf(text, at, Math.min(at + CHUNK, text.length));
  return copy;
}

function copyOf(text: string, from: number, to: number): string {
  const codes = new Array<number>(to - from);
  for (let i = from; i < to; i++) codes[i - from] = text.charCodeAt(i);
  return String.fromCharCode.apply(null, codes);
}
