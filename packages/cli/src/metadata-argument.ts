// Metadata as typed: `key=value`, once per entry.

import { CommandError } from './command-error.js';

/** Collects one more entry; for commander. @throws CommandError `usage` without a key or a `=` */
export function collectMetadata(
  entry: string,
  collected: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const at = entry.indexOf('=');
  if (at < 1) {
    throw new CommandError(
      'usage',
      `Cannot read the metadata "${entry}": allowed is key=value, the option given once per key`,
    );
  }
  // Entries, so that a key `__proto__` is a key like any other.
  return Object.fromEntries([...Object.entries(collected), [entry.slice(0, at), entry.slice(at + 1)]]);
}

/** Collects one more key; for commander. */
export function collectKey(key: string, collected: readonly string[] = []): string[] {
  return [...collected, key];
}
