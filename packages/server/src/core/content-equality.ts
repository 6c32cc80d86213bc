// Whether two registrations say the same.

import type { InstanceContent, Metadata } from '@rollcall/protocol';

/** Equal in every field; the order of metadata keys does not matter. */
export function sameContent(a: InstanceContent, b: InstanceContent): boolean {
  return (
    a.weight === b.weight &&
    a.enabled === b.enabled &&
    a.healthy === b.healthy &&
    a.app === b.app &&
    a.instanceId === b.instanceId &&
    sameMetadata(a.metadata, b.metadata)
  );
}

function sameMetadata(a: Metadata, b: Metadata): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (b.get(key) !== value) return false;
  return true;
}
