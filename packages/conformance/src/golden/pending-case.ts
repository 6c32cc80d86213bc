// Golden cases that ask for routes which Rollcall does not have yet. They are replayed by nobody but who builds them.

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Ids of the pending cases of a golden folder. @param folder - holds `pending.json`, a list of ids by area */
export function loadPendingCases(folder: string): ReadonlySet<string> {
  const text = readFileSync(path.join(folder, 'pending.json'), 'utf8');
  return new Set(Object.values(JSON.parse(text) as Record<string, readonly string[]>).flat());
}
