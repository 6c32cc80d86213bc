// Metadata as clients write it: a JSON object of scalars, or `k=v` pairs; and as servers write it, a JSON object of strings.
// Source: Nacos 1.4.8 UtilsAndCommons.parseMetadata (ran, contract 2.5); a JSON object that is broken is refused, not read as pairs.

import { type Metadata, NO_METADATA } from './instance.js';
import { javaSplit } from './java-text.js';
import { readFlatObject } from './json-scan.js';
import { jsonText } from './json-text.js';
import type { Limits } from './limits.js';
import { RegistryError } from './registry-error.js';

/** The limits that metadata has. */
export type MetadataLimits = Pick<Limits, 'metadataBytes' | 'metadataKeys'>;

/**
 * Reads metadata text. Blank text and the word `null` give no entries; JSON scalars become strings spelled as they were sent
 * (`1.50` stays `1.50`); JSON null leaves its entry out; text after the object is ignored; of equal keys the last wins.
 *
 * @param text - JSON object or `k=v,k2=v2`, decoded, not trimmed
 * @param limits - bounds on bytes and keys
 * @throws RegistryError `invalid-metadata` when it is neither, `limit-exceeded` when it is too large
 */
export function parseMetadata(text: string, limits: MetadataLimits): Metadata {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null' || trimmed === '{}') return NO_METADATA;
  const metadata = trimmed.startsWith('{')
    ? readFlatObject(trimmed, limits.metadataKeys)
    : readPairs(text, limits.metadataKeys);
  if (metadata === undefined) {
    throw new RegistryError('invalid-metadata', `metadata format incorrect:${text}`, {
      details: { foundLength: text.length },
    });
  }
  checkMetadata(metadata, limits);
  return metadata;
}

/** Checks bytes and keys of metadata that did not come as text. @throws RegistryError `limit-exceeded` */
export function checkMetadata(metadata: Metadata, limits: MetadataLimits): void {
  if (metadata.size > limits.metadataKeys) {
    throw tooLarge(
      `found more than ${limits.metadataKeys} keys, allowed are ${limits.metadataKeys}`,
      limits.metadataKeys,
    );
  }
  const bytes = metadataBytes(metadata);
  if (bytes > limits.metadataBytes) {
    throw tooLarge(
      `found ${bytes} bytes of keys and values, allowed are ${limits.metadataBytes}`,
      limits.metadataBytes,
    );
  }
}

/** UTF-8 bytes of all keys and values. */
export function metadataBytes(metadata: Metadata): number {
  let bytes = 0;
  for (const [key, value] of metadata) bytes += utf8Length(key) + utf8Length(value);
  return bytes;
}

/** Metadata as a JSON object, keys in their order. Keys that look like numbers keep their place, which an object would not give. */
export function metadataJson(metadata: Metadata): string {
  if (metadata.size === 0) return '{}';
  let json = '{';
  for (const [key, value] of metadata) {
    json += `${json.length === 1 ? '' : ','}${jsonText(key)}:${jsonText(value)}`;
  }
  return `${json}}`;
}

/** UTF-8 bytes of a text; a lone surrogate counts 3, as U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    // A surrogate pair is two units and four bytes: two more than its units.
    bytes += code < 0x800 ? 1 : 2;
    if (code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** @param keysMax - reading stops one key above it */
function readPairs(text: string, keysMax: number): Metadata | undefined {
  const metadata = new Map<string, string>();
  for (const piece of javaSplit(text, ',')) {
    const [key, value, more] = javaSplit(piece, '=');
    if (key === undefined || value === undefined || more !== undefined) return undefined;
    metadata.set(key, value);
    if (metadata.size > keysMax) break;
  }
  return metadata;
}

function tooLarge(reason: string, allowed: number): RegistryError {
  return new RegistryError('limit-exceeded', `Param 'metadata' is illegal, ${reason}`, {
    details: { parameter: 'metadata', allowed },
  });
}
