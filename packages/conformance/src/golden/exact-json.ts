// JSON read without losing what JSON.parse hides: which numbers were written with a fraction and which members came twice.

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** A document with the paths (`$.hosts[].weight`) of what JSON.parse would hide; both lists are sorted. */
export interface ExactJson {
  readonly value: Json;
  /** Numbers written with a fraction or an exponent. */
  readonly floats: readonly string[];
  /** Members that one object has more than once. */
  readonly twice: readonly string[];
}

const LITERAL = /(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/y;
const BLANKS = /[ \t\r\n]*/y;

/** Reads a JSON document. @throws SyntaxError when it is none */
export function parseExactJson(text: string): ExactJson {
  return new Reader(text).document();
}

class Reader {
  readonly #text: string;
  readonly #floats = new Set<string>();
  readonly #twice = new Set<string>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): ExactJson {
    const value = this.#value('$');
    if (this.#next() !== undefined) throw this.#broken();
    return { value, floats: [...this.#floats].sort(), twice: [...this.#twice].sort() };
  }

  #value(path: string): Json {
    switch (this.#next()) {
      case '{':
        return this.#object(path);
      case '[':
        return this.#array(path);
      case '"':
        return this.#string();
      default:
        return this.#literal(path);
    }
  }

  #object(path: string): Json {
    const members = new Map<string, Json>();
    this.#list('}', () => {
      if (this.#next() !== '"') throw this.#broken();
      const name = this.#string();
      if (this.#next() !== ':') throw this.#broken();
      this.#at++;
      if (members.has(name)) this.#twice.add(`${path}.${name}`);
      members.set(name, this.#value(`${path}.${name}`));
    });
    // Object.fromEntries defines members, so `__proto__` is one like any other.
    return Object.fromEntries(members);
  }

  #array(path: string): Json {
    const values: Json[] = [];
    this.#list(']', () => values.push(this.#value(`${path}[]`)));
    return values;
  }

  /** Reads entries from an opening bracket to its closing one. */
  #list(closing: string, readEntry: () => void): void {
    this.#at++;
    if (this.#next() !== closing) {
      for (;;) {
        readEntry();
        if (this.#next() !== ',') break;
        this.#at++;
      }
    }
    if (this.#next() !== closing) throw this.#broken();
    this.#at++;
  }

  #string(): string {
    const start = this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"')
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#at++;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #literal(path: string): Json {
    LITERAL.lastIndex = this.#at;
    const found = LITERAL.exec(this.#text)?.[0];
    if (found === undefined) throw this.#broken();
    this.#at += found.length;
    const value = JSON.parse(found) as Json;
    if (typeof value !== 'number') return value;
    if (/[.eE]/.test(found)) this.#floats.add(path);
    // An integer that a double cannot hold would be compared as its neighbour.
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? `<integer ${found}>` : value;
  }

  /** The next character that is no blank; undefined at the end. */
  #next(): string | undefined {
    BLANKS.lastIndex = this.#at;
    BLANKS.exec(this.#text);
    this.#at = BLANKS.lastIndex;
    return this.#text[this.#at];
  }

  #broken(): SyntaxError {
    return new SyntaxError(
      `Cannot read JSON: found ${JSON.stringify(this.#text[this.#at] ?? 'the end')} at ${this.#at}`,
    );
  }
}
