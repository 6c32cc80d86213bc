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
  return JSON.parse(json, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null) return member;
    if ('$map' in member && Array.isArray(member.$map)) return new Map(member.$map as [unknown, unknown][]);
    if ('$number' in member && typeof member.$number === 'string') return Number(member.$number);
    return member;
  });
}
