// One configuration option: how a value of it is read from text and from JSON, and all that help and documents say of it.

/** Where an option stands in help and documents. */
export type OptionGroup = 'Server' | 'Cluster' | 'Data' | 'Log' | 'HTTP' | 'gRPC' | 'Registry' | 'Ledger' | 'Limits';

/** An option with values of type T. Flag, environment variable and file key follow from its key in the table. */
export interface Option<T> {
  readonly group: OptionGroup;
  /** One sentence: what it does. */
  readonly doc: string;
  /** Kind of value with its unit, for the placeholder of help: `ms`, `bytes`, `path`. */
  readonly placeholder: string;
  /** What is allowed, to be read after "allowed is". */
  readonly allowed: string;
  readonly default: T;
  /** What the flag means without a value; undefined when it must have one. */
  readonly alone?: string;
  /** Whether the value is never shown, neither by `rollcall config` nor in a message. */
  readonly isSecret?: boolean;
  /** Reads a flag or a variable. @returns undefined when the text is not allowed */
  fromText(text: string): T | undefined;
  /** Reads a value of the file. @returns undefined when the value is not allowed */
  fromJson(value: unknown): T | undefined;
  /** Prints a value as a flag would carry it. */
  toText(value: T): string;
}

/** What is shown in place of a secret. */
const HIDDEN = '(hidden)';

/** Values of an option. */
export type ValueOf<O> = O extends Option<infer T> ? T : never;

interface Description {
  readonly group: OptionGroup;
  readonly doc: string;
}

/** An option with a whole number, both bounds included. */
export function integerOption(
  fields: Description & {
    readonly unit: string;
    readonly min: number;
    readonly max: number;
    readonly default: number;
  },
): Option<number> {
  const { group, doc, unit, min, max } = fields;
  const within = (value: number) => (Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined);
  return {
    group,
    doc,
    placeholder: unit,
    allowed: `a whole number from ${min} to ${max}${unit === 'number' ? '' : ` (${unit})`}`,
    default: fields.default,
    fromText: (text) => (/^\d{1,16}$/.test(text) ? within(Number(text)) : undefined),
    fromJson: (value) => (typeof value === 'number' ? within(value) : undefined),
    toText: String,
  };
}

/** An option with a text that `isAllowed` accepts. */
export function textOption(
  fields: Description & {
    readonly placeholder: string;
    readonly allowed: string;
    readonly default: string;
    readonly isSecret?: boolean;
    readonly isAllowed: (text: string) => boolean;
  },
): Option<string> {
  const { isAllowed, ...description } = fields;
  const accept = (text: string) => (isAllowed(text) ? text : undefined);
  return {
    ...description,
    fromText: accept,
    fromJson: (value) => (typeof value === 'string' ? accept(value) : undefined),
    toText: (text) => (fields.isSecret && text !== '' ? HIDDEN : text),
  };
}

/** An option with one of a few words. */
export function choiceOption<const W extends string>(
  fields: Description & { readonly words: readonly W[]; readonly default: NoInfer<W>; readonly alone?: NoInfer<W> },
): Option<W> {
  const { words, ...description } = fields;
  const find = (text: unknown) => words.find((word) => word === text);
  return {
    ...description,
    placeholder: words.join('|'),
    allowed: `one of ${words.map((word) => `"${word}"`).join(', ')}`,
    fromText: find,
    fromJson: find,
    toText: (word) => word,
  };
}

/** An option with a list of texts, each accepted by `isAllowed`: separated by commas in text, an array in JSON. */
export function listOption(
  fields: Description & {
    readonly placeholder: string;
    readonly allowed: string;
    readonly default: readonly string[];
    readonly isAllowed: (text: string) => boolean;
  },
): Option<readonly string[]> {
  const { isAllowed, ...description } = fields;
  const accept = (texts: readonly unknown[]): readonly string[] | undefined =>
    texts.every((text): text is string => typeof text === 'string' && isAllowed(text)) ? texts : undefined;
  return {
    ...description,
    fromText: (text) =>
      accept(
        text
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      ),
    fromJson: (value) => (Array.isArray(value) ? accept(value) : undefined),
    toText: (texts) => texts.join(','),
  };
}
