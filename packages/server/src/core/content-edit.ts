// What an edit changed, field by field: old and new value, as the history shows them. Source: ops-auth-console 6.6 (time line
// of an instance: edits with actor and old/new value).

import type { InstanceContent } from '@rollcall/protocol';

/** One field that an edit changed. */
export interface ContentEdit {
  /** `weight`, `enabled`, or `metadata.` with the key. */
  readonly field: string;
  /** Old value; null when there was none. Long values are cut. */
  readonly from: string | null;
  /** New value; null when it is gone. Long values are cut. */
  readonly to: string | null;
}

/** Fields told of one edit; of more, the first by order of the metadata. */
const FIELDS_MAX = 16;
/** Characters told of a key or value. */
const LENGTH_MAX = 64;

/** What differs between two contents: nothing for equal ones, at most 16 fields. */
export function contentEdits(before: InstanceContent, after: InstanceContent): readonly ContentEdit[] {
  const edits: ContentEdit[] = [];
  const add = (field: string, from: unknown, to: unknown) => {
    if (from !== to && edits.length < FIELDS_MAX) edits.push({ field: shown(field), from: value(from), to: value(to) });
  };
  add('weight', before.weight, after.weight);
  add('enabled', before.enabled, after.enabled);
  for (const key of new Set([...before.metadata.keys(), ...after.metadata.keys()]))
    add(`metadata.${key}`, before.metadata.get(key), after.metadata.get(key));
  return edits;
}

function value(of: unknown): string | null {
  return of === undefined ? null : shown(String(of));
}

function shown(text: string): string {
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX - 1)}…` : text;
}
