// Schemas with a title become components of the document, and every place that uses one refers to it.

import type { JsonSchema } from '../http/answer-schema.js';

/** Collects the titled schemas of one document. */
export class OpenApiSchemas {
  readonly #components = new Map<string, JsonSchema>();
  readonly #sources = new Map<string, string>();

  /** What was collected so far, by title. */
  get components(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#components);
  }

  /**
   * The schema as it stands in the document.
   *
   * @throws Error when two schemas that differ have one title
   */
  placed(schema: JsonSchema): JsonSchema {
    const { title } = schema;
    if (typeof title !== 'string') return this.#withParts(schema);
    const source = JSON.stringify(schema);
    const known = this.#sources.get(title);
    if (known !== undefined && known !== source) {
      throw new Error(`Schema title "${title}" is used for two schemas that differ, allowed is one`);
    }
    if (known === undefined) {
      this.#sources.set(title, source);
      this.#components.set(title, this.#withParts(schema));
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  #withParts(schema: JsonSchema): JsonSchema {
    return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, this.#part(keyword, value)]));
  }

  #part(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'items':
      case 'additionalProperties':
        return typeof value === 'object' ? this.placed(value as JsonSchema) : value;
      case 'anyOf':
        return (value as readonly JsonSchema[]).map((each) => this.placed(each));
      case 'properties':
        return Object.fromEntries(
          Object.entries(value as Record<string, JsonSchema>).map(([member, each]) => [member, this.placed(each)]),
        );
      default:
        return value;
    }
  }
}
