// Why a command ends without success: one message, one exit code.

import type { ExitName } from '@rollcall/server';

/** Thrown by commands; the message goes to standard error, the exit code follows from its name. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** Exit code of the process, by name. */
  readonly exit: ExitName;

  constructor(exit: ExitName, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.exit = exit;
  }
}
