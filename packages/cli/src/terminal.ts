// Where a command prints: text with colours for people, JSON for scripts.

import pc from 'picocolors';

/** Colours that are on or off as a whole. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Standard output and what it can show. */
export interface Terminal {
  /** Whether a person looks at it. */
  readonly isInteractive: boolean;
  readonly colors: Colors;
  /** Prints a line, or several. */
  print(text: string): void;
  /** Prints a remark that is no result, to standard error. */
  note(text: string): void;
}

/** The terminal of this process. Colours are off when it is none, or when NO_COLOR is set to anything. */
export function processTerminal(): Terminal {
  return {
    isInteractive: process.stdout.isTTY === true,
    colors: pc.createColors(hasColors(process.stdout)),
    print: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
  };
}

/** Whether a stream of this process shows colours. */
export function hasColors(stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR: noColor, TERM: term } = process.env;
  return stream.isTTY === true && (noColor === undefined || noColor === '') && term !== 'dumb';
}
