// Cuts a shared list in an answer down to what belongs to one case.

import { type CaseNames, fillTemplate } from './case-names.js';
import type { Json } from './exact-json.js';
import type { Selection } from './golden-case.js';

type JsonObject = Readonly<Record<string, Json>>;

/** The document with only the selected part of the list; the document itself when the list is not there. */
export function ownPart(document: Json, selection: Selection, names: CaseNames): Json {
  const steps = selection.at === undefined ? [] : selection.at.split('.');
  return replaced(document, steps, (list) => cut(list, selection, names));
}

function replaced(value: Json, steps: readonly string[], cutList: (list: Json) => Json): Json {
  const [member, ...rest] = steps;
  if (member === undefined) return cutList(value);
  if (!isObject(value) || !Object.hasOwn(value, member)) return value;
  return { ...value, [member]: replaced(value[member] as Json, rest, cutList) };
}

function cut(list: Json, selection: Selection, names: CaseNames): Json {
  if (isObject(list) && selection.key !== undefined) {
    const key = fillTemplate(selection.key, names);
    return Object.hasOwn(list, key) ? { [key]: list[key] as Json } : {};
  }
  if (!Array.isArray(list)) return list;
  return list.filter((entry: Json) => isOwn(entry, selection, names));
}

function isOwn(entry: Json, selection: Selection, names: CaseNames): boolean {
  if (selection.contains !== undefined) return String(entry).includes(fillTemplate(selection.contains, names));
  return Object.entries(selection.where ?? {}).every(
    ([member, value]) => isObject(entry) && String(entry[member]) === fillTemplate(value, names),
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
