// Searching names by the everyday part of regular expressions, in time that grows with the text alone: the patterns come
// from anybody, and a backtracking engine can be made to run for hours. All states of the pattern fit into one number.
// Source: Nacos 1.4.8 ServiceManager (java.util.regex on every name), bit-parallel simulation of Glushkov automata.

import { RegistryError } from '@rollcall/protocol';

/** Characters, sets and dots of a pattern in which some may be left out or repeated. One state more must fit into 31 bits. */
const VARYING_PARTS_MAX = 30;
/** The same of a pattern that has one length: no name is longer. */
const FIXED_PARTS_MAX = 512;

/** One part of a pattern: which characters it takes, and how many of them. */
interface Part {
  /** The one character that it takes; undefined when there are several. */
  readonly literal: string | undefined;
  readonly takes: (code: number) => boolean;
  readonly optional: boolean;
  readonly repeated: boolean;
}

/** A pattern that is searched anywhere in a text. */
export class NamePattern {
  readonly #parts: readonly Part[];
  readonly #anchoredAtStart: boolean;
  readonly #anchoredAtEnd: boolean;
  /** The longest text that is in everything the pattern is in: most names are ruled out by it. */
  readonly #needed: string;
  readonly #search: (text: string) => boolean;

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
    this.#needed = longestText(this.#parts);
    const isPlain = this.#needed.length === this.#parts.length && !this.#anchoredAtStart && !this.#anchoredAtEnd;
    if (isPlain) this.#search = () => true;
    else this.#search = this.#parts.some(isVarying) ? (text) => this.#searchVarying(text) : this.#fixedSearch();
  }

  /** Whether the pattern is found in the text. */
  isIn(text: string): boolean {
    return text.includes(this.#needed) && this.#search(text);
  }

  #searchVarying(text: string): boolean {
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
    for (let index = 0; index < this.#parts.length; index++) {
      if ((states & (1 << index)) === 0) continue;
      const part = this.#parts[index] as Part;
      if (part.takes(code)) next |= part.repeated ? 3 << index : 2 << index;
    }
    return next;
  }

  /** Adds the states that are reached without a character. */
  #reachable(states: number): number {
    let reached = states;
    for (let index = 0; index < this.#parts.length; index++) {
      if ((reached & (1 << index)) !== 0 && (this.#parts[index] as Part).optional) reached |= 2 << index;
    }
    return reached;
  }

  /** Without parts that vary, one shift moves all states at once, so that long patterns cost no more than short ones. */
  #fixedSearch(): (text: string) => boolean {
    const takenBy = takenStates(this.#parts);
    const accept = 1n << BigInt(this.#parts.length);
    const begin = this.#anchoredAtStart ? 0n : 1n;
    return (text) => {
      let states = 1n;
      for (let i = 0; i < text.length; i++) {
        if (!this.#anchoredAtEnd && (states & accept) !== 0n) return true;
        states = ((states & takenBy(text.charCodeAt(i))) << 1n) | begin;
        if (states === 0n) return false;
      }
      return (states & accept) !== 0n;
    };
  }
}

function isVarying({ optional, repeated }: Part): boolean {
  return optional || repeated;
}

/** The longest run of parts that take one certain character each. */
function longestText(parts: readonly Part[]): string {
  let longest = '';
  let run = '';
  for (const part of parts) {
    run = part.literal === undefined || isVarying(part) ? '' : run + part.literal;
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

/** Which states go on with a character; worked out once per character. */
function takenStates(parts: readonly Part[]): (code: number) => bigint {
  const known = new Map<number, bigint>();
  return (code) => {
    let taken = known.get(code);
    if (taken === undefined) {
      taken = parts.reduce((bits, part, index) => (part.takes(code) ? bits | (1n << BigInt(index)) : bits), 0n);
      known.set(code, taken);
    }
    return taken;
  };
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
    let allowed = FIXED_PARTS_MAX;
    while (!this.atEnd && !(this.next === '$' && this.#at === this.#source.length - 1)) {
      const part = this.#part();
      parts.push(part);
      if (isVarying(part)) allowed = VARYING_PARTS_MAX;
      if (parts.length > allowed) throw this.#tooLong(allowed);
    }
    return parts;
  }

  #part(): Part {
    const start = this.#at;
    const takes = this.#taking();
    const literal = this.#literalSince(start);
    const many = '*+?'.includes(this.next) && !this.atEnd ? this.#source[this.#at++] : '';
    return {
      literal,
      takes,
      optional: many === '*' || many === '?',
      repeated: many === '*' || many === '+',
    };
  }

  /** The character that was just read when it stands for itself. */
  #literalSince(start: number): string | undefined {
    const read = this.#source.slice(start, this.#at);
    if (read.length === 1) return read === '.' ? undefined : read;
    return read.startsWith('\\') && !/[dws]$/.test(read) ? read.slice(1) : undefined;
  }

  #tooLong(allowed: number): RegistryError {
    const message = `Pattern "${this.#shown()}" is too long, found more than ${allowed} parts, allowed are ${VARYING_PARTS_MAX}, and ${FIXED_PARTS_MAX} without "*", "+" and "?"`;
    return new RegistryError('limit-exceeded', message, { details: { allowed } });
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
