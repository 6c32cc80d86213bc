// JSON schemas of answers (2020-12, the dialect of OpenAPI 3.1), written in the few forms that occur. A schema with a title is
// shared: the API description lists it once and refers to it.

/** A JSON schema: keyword to value. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Schemas by member. */
export type Members = Readonly<Record<string, JsonSchema>>;

type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type MembersOf<T, K extends keyof T> = { readonly [N in K]: JsonSchema };

/** Any text. */
export const STRING: JsonSchema = { type: 'string' };
/** A whole number. */
export const INTEGER: JsonSchema = { type: 'integer' };
/** Any number. */
export const NUMBER: JsonSchema = { type: 'number' };
/** True or false. */
export const BOOLEAN: JsonSchema = { type: 'boolean' };
/** Null alone. */
export const NULL: JsonSchema = { type: 'null' };

/** An object. @param required - members that are always there @param optional - members that may be absent */
export function objectOf(required: Members, optional: Members = {}): JsonSchema {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) };
}

/** The object of a TypeScript type: the compiler checks that its members are all there. @param members - required and optional ones apart */
export function objectLike<T extends object>(
  ...members: OptionalKey<T> extends never
    ? [required: MembersOf<T, keyof T>]
    : [required: MembersOf<T, Exclude<keyof T, OptionalKey<T>>>, optional: MembersOf<T, OptionalKey<T>>]
): JsonSchema {
  const [required, optional] = members as readonly [Members, Members?];
  return objectOf(required, optional);
}

/** An object whose members are named by data. */
export function mapOf(values: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: values };
}

/** A list. */
export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** One of some schemas. */
export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  return { anyOf: schemas };
}

/** One of some texts. */
export function oneOfTexts(...texts: readonly string[]): JsonSchema {
  return { type: 'string', enum: texts };
}

/** A schema that the API description lists under a name. @param title - unique */
export function named(title: string, schema: JsonSchema): JsonSchema {
  return { title, ...schema };
}
