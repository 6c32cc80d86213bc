// Searching names by the everyday part of regular expressions, in time that grows with the text alone: the patterns come
// from anybody, and a backtracking engine can be made to run for hours. All states of the pattern fit into one number.
// Source: Nacos 1.4.8 ServiceManager (java.util.regex on every name), bit-parallel simulation of Glushkov automata.

import { RegistryError } from '@rollcall/protocol';

/** Characters, sets and dots that a pattern may have. One state more must fit into 31 bits. */
const PARTS_MAX = 30;

/** One part of a pattern: which characters it takes, and how many of them. */
interface Part {
  readonly takes: (code: number) => boolean;
  readonly optional: boolean;
  readonly repeated: boolean;
}

/** A pattern that is searched anywhere in a text. */
export class NamePattern {
  readonly #parts: readonly Part[];
  readonly #anchoredAtStart: boolean;
  readonly #anchoredAtEnd: boolean;

  /**
   * @param source - literals, `.`, sets such as `[a-z]` and `[^0-9]`, `\d`, `\w`, `\s`, escaped characters, each with `*`, `+`
   *   or `?`; `^` at the start, `$` at the end
   * @throws RegistryError `invalid-parameter` for what is no such pattern, `limit-exceeded` for too many parts
   */
  constructor(source: string) {
    const reader = new PatternReader(source);
    this.#anchoredAtStart = reader.skip('^');
    this.#parts = reader.parts();
    this.#anchoredAtEnd = reader.skip('$');
    if (!reader.atEnd) throw reader.illegal(`"${reader.next}" has no meaning here`);
  }

  /** Whether the pattern is found in the text. */
  isIn(text: string): boolean {
    const accept = 1 << this.#parts.length;
    let states = this.#reachable(1);
    for (let i = 0; i < text.length; i++) {
      if (!this.#anchoredAtEnd && (states & accept) !== 0) return true;
      states = this.#after(states, text.charCodeAt(i));
      if (!this.#anchoredAtStart) states |= 1;
      states = this.#reachable(states);
      if (states === 0) return false;
    }
    return (states & accept) !== 0;
  }

  #after(states: number, code: number): number {
    let next = 0;
    this.#parts.forEach((part, index) => {
      if ((states & (1 << index)) === 0 || !part.takes(code)) return;
      next |= part.repeated ? 3 << index : 2 << index;
    });
    return next;
  }

  /** Adds the states that are reached without a character. */
  #reachable(states: number): number {
    let reached = states;
    this.#parts.forEach((part, index) => {
      if (part.optional && (reached & (1 << index)) !== 0) reached |= 2 << index;
    });
    return reached;
  }
}

/** Takes a pattern apart. */
class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  get next(): string {
    return this.#source[this.#at] ?? '';
  }

  skip(character: string): boolean {
    if (this.next !== character || this.atEnd) return false;
    this.#at++;
    return true;
  }

  parts(): readonly Part[] {
    const parts: Part[] = [];
    while (!this.atEnd && !(this.next === '$' && this.#at === this.#source.length - 1)) {
      if (parts.length === PARTS_MAX) {
        const message = `Pattern "${this.#shown()}" is too long, found more than ${PARTS_MAX} parts, allowed are ${PARTS_MAX}`;
        throw new RegistryError('limit-exceeded', message, { details: { allowed: PARTS_MAX } });
      }
      const takes = this.#taking();
      const many = '*+?'.includes(this.next) && !this.atEnd ? this.#source[this.#at++] : '';
      parts.push({ takes, optional: many === '*' || many === '?', repeated: many === '*' || many === '+' });
    }
    return parts;
  }

  #taking(): Part['takes'] {
    const character = this.#source[this.#at++] as string;
    switch (character) {
      case '.':
        return () => true;
      case '[':
        return this.#set();
      case '\\':
        return this.#escaped();
      default:
        if ('*+?(){}|^$]'.includes(character)) throw this.illegal(`"${character}" has no meaning here`);
        return isCode(character.charCodeAt(0));
    }
  }

  #set(): Part['takes'] {
    const negated = this.skip('^');
    const members: Part['takes'][] = [];
    while (this.next !== ']' || members.length === 0) {
      if (this.atEnd) throw this.#unclosed();
      members.push(this.#member());
    }
    this.#at++;
    return (code) => members.some((takes) => takes(code)) !== negated;
  }

  #member(): Part['takes'] {
    const character = this.#source[this.#at++] as string;
    if (character === '\\') return this.#escaped();
    const first = character.charCodeAt(0);
    const last = this.#source.charCodeAt(this.#at + 1);
    if (this.next !== '-' || Number.isNaN(last) || this.#source[this.#at + 1] === ']') return isCode(first);
    this.#at += 2;
    if (last < first) throw this.illegal('a range ends before it starts');
    return (code) => code >= first && code <= last;
  }

  #escaped(): Part['takes'] {
    if (this.atEnd) throw this.illegal('nothing follows the last "\\"');
    const character = this.#source[this.#at++] as string;
    const set = { d: /\d/, w: /\w/, s: /\s/ }[character];
    if (set !== undefined) return (code) => set.test(String.fromCharCode(code));
    if (/[a-z0-9]/i.test(character)) throw this.illegal(`"\\${character}" has no meaning here`);
    return isCode(character.charCodeAt(0));
  }

  illegal(reason: string): RegistryError {
    const allowed = 'characters, ".", sets, "*", "+", "?", "^" and "$"';
    const message = `Pattern "${this.#shown()}" cannot be read: ${reason}, allowed are ${allowed}`;
    return new RegistryError('invalid-parameter', message);
  }

  /** The text of java.util.regex, which looks for `.*pattern.*`. */
  #unclosed(): RegistryError {
    const pattern = `.*${this.#shown()}.*`;
    const at = pattern.length - 1;
    const message = `Unclosed character class near index ${at}\n${pattern}\n${' '.repeat(at)}^`;
    return new RegistryError('invalid-parameter', message);
  }

  #shown(): string {
    return this.#source.length > 200 ? `${this.#source.slice(0, 200)}…` : this.#source;
  }
}

function isCode(wanted: number): Part['takes'] {
  return (code) => code === wanted;
}
