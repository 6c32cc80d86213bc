// JSON for durable values: maps keep their order and any key (`__proto__` is a key like others), and numbers that JSON
// does not have survive. `{"$map":[[k,v],…]}` and `{"$number":"NaN"}`; our objects have no such members otherwise.

/** The JSON of a value made of plain objects, arrays, maps and scalars. Undefined members are left out. */
export function storeJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof Map) return { $map: [...member] };
    if (typeof member === 'number' && !Number.isFinite(member)) return { $number: String(member) };
    return member;
  });
}

/** The value of a JSON text from {@link storeJson}. @throws SyntaxError when it is no JSON */
export function storeValue(json: string): unknown {
  return revived(JSON.parse(json));
}

// Walking the parsed value takes a fifth of what a reviver takes. Only members that change are assigned, so a member
// named `__proto__` is never.
function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    const revivedMember = revived(member);
    if (revivedMember !== member) members[key] = revivedMember;
  }
  if (Array.isArray(members.$map)) return new Map(members.$map as [unknown, unknown][]);
  if (typeof members.$number === 'string') return Number(members.$number);
  return value;
}
