// Keys as LMDB takes them: at most 1978 bytes. Long ones are hashed; the record itself says what it is.

import { createHash } from 'node:crypto';
import { KEY_PREFIXES } from './store-record.js';

const KEY_BYTES_MAX = 1000;

/** The key under which LMDB keeps a record. @param key - of `recordOf` */
export function lmdbKey(key: string): Buffer {
  const bytes = Buffer.from(key);
  if (bytes.length <= KEY_BYTES_MAX) return bytes;
  const prefix = KEY_PREFIXES.find((known) => key.startsWith(known)) ?? '';
  return Buffer.from(`${prefix}sha256:${createHash('sha256').update(bytes).digest('hex')}`);
}
