// A reason not to start that the operator can do something about: one message, one exit code, no stack trace.

import type { ExitName } from './exit-code.js';

/** Thrown while configuring and starting. `message` says what was tried, what was found and what is allowed. */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** Exit code of the process, by name. */
  readonly exit: ExitName;

  constructor(exit: ExitName, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.exit = exit;
  }
}
