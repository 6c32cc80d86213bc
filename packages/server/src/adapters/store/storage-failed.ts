// The error of every write that did not reach the disk.

import { RegistryError } from '@rollcall/protocol';

/** Makes a `storage-failed` error. @param tried - what was tried, as in "cannot write the journal" */
export function storageFailed(tried: string, cause: unknown): RegistryError {
  const found = cause instanceof Error ? cause.message : String(cause);
  return new RegistryError('storage-failed', `${tried}: ${found}`, { cause });
}
